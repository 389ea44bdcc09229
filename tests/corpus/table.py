"""Functions of a typical agent, with stubs and constant answers."""

import json
import re
from pathlib import Path
from typing import Any

from toolscript.guards import is_array, is_object
from toolscript_sandbox import Call, Function, ToolError


class Table(dict[str, Function]):
    """The functions by name."""

    def hint(self, name: str, /) -> str | None:
        """Return the functions that share a word with the name."""
        words = set(name.split('_'))
        close = [known for known in self if words & set(known.split('_'))]
        return f'Did you mean {", ".join(sorted(close))}?' if close else None


def functions(file: str) -> Table:
    """Read the functions of a file in this folder; they share its types."""
    found = Table()
    for part in Path(__file__).with_name(file).read_text().split('---\n'):
        start = re.search(r'^(async )?def ', part, re.MULTILINE)
        assert start is not None
        types, definitions = part[: start.start()], part[start.start() :]
        for one in definitions.splitlines():
            name = one.partition('(')[0].split()[-1]
            found[name] = Function(name, f'{types}{one}\n', one.startswith('def'), one)
    return found


TABLE = functions('functions.txt')

_ANSWERS: dict[str, Any] = json.loads(Path(__file__).with_name('answers.json').read_text())
"""By function; `$` is its first argument."""


async def answer(call: Call) -> Any:
    """Return the function's answer. Raises `ToolError` if the item does not exist."""
    first = call.args[0] if call.args else next(iter(call.kwargs.values()), None)
    if first in ('missing', 404):
        raise ToolError('ValueError', f'{first} does not exist')
    return _answer(call.function, first)


def _answer(function: str, first: Any) -> Any:
    users: list[dict[str, Any]] = _ANSWERS['list_users']
    match function:
        case 'get_user':
            return users[(int(first) - 1) % 3] | {'id': first}
        case 'list_users':
            return [user for user in users if first in (None, 50, user['team'])] or users
        case 'convert_currency':
            return round(first * 1.1, 2)
        case name:
            return _filled(_ANSWERS[name], first)


def _filled(answer: Any, first: Any) -> Any:
    if is_object(answer):
        return {key: _filled(value, first) for key, value in answer.items()}
    if is_array(answer):
        return [_filled(value, first) for value in answer]
    return first if answer == '$' else answer.replace('$', str(first)) if isinstance(answer, str) else answer
