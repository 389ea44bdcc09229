"""A saved function, and those of a folder."""

import ast
import builtins
import hashlib
import json
import keyword
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ConfigDict, ValidationError, with_config
from pydantic_ai import UserError

from toolscript.routing.placement import RUN_CODE, SEARCH_IN_CODE
from toolscript.stored_json import StoredJson
from toolscript_sandbox import NotSelfContained, SelfContained, bindings, function_in, self_contained

_NAME = re.compile(r'[a-z_][a-z0-9_]{0,59}')


@with_config(ConfigDict(extra='forbid'))
@dataclass(frozen=True)
class SavedFunction:
    """One version of a saved function: its Python text and origin."""

    name: str
    description: str
    code: str
    """The function, after the imports that it needs."""
    version: int = 0
    """From 1; 0 for functions of a folder."""
    tools: tuple[str, ...] = ()
    """The tools that it calls, with their signatures when it was saved."""
    functions: tuple[str, ...] = ()
    """Names of the other saved functions that it calls."""
    saved_at: float = 0.0
    """Seconds since 1970; 0 for functions of a folder."""
    conversation_id: str | None = None
    """The conversation in which a script saved it."""
    tool_call_id: str | None = None
    """The call that saved it."""

    @property
    def tool_names(self) -> tuple[str, ...]:
        """The tools that it calls, by their names in code."""
        return tuple(name_in(signature) for signature in self.tools)

    @property
    def digest(self) -> str:
        """The digest of its text."""
        return hashlib.sha256(self.code.encode()).hexdigest()[:16]

    def to_text(self) -> str:
        """As JSON, in ASCII."""
        return json.dumps(_json.dump_python(self))

    @classmethod
    def from_text(cls, text: str) -> 'SavedFunction | None':
        """The function again; `None` for what is none."""
        try:
            found = _json.load(text)
        except ValidationError:
            return None
        return found if function_in(found.code, found.name) is not None else None


def may_be_named(name: str) -> bool:
    """Whether a function may be saved under a name: every store can distinguish it from all others."""
    return _NAME.fullmatch(name) is not None


def name_in(signature: str) -> str:
    """The name in a signature; a name by itself is one."""
    return signature.partition('(')[0].rpartition(' ')[2]


def callees(function: SavedFunction, others: Mapping[str, SavedFunction]) -> set[str]:
    """The names of the saved functions among the others that it calls, or that those call."""
    found, waiting = set[str](), [function]
    for one in waiting:
        new = [name for name in one.functions if name in others and name not in found]
        found.update(new)
        waiting += [others[name] for name in new]
    return found


def functions_to_bytes(functions: Sequence[SavedFunction]) -> bytes:
    """Some functions, as JSON."""
    return _list.dump([*functions])


def functions_from_bytes(data: bytes) -> list[SavedFunction]:
    """The functions again.

    Raises:
        ValidationError: Another version wrote them.
    """
    return _list.load(data)


_json = StoredJson(SavedFunction)
_list = StoredJson(list[SavedFunction])


def functions_of(folder: Path, *, most: int, most_chars: int) -> dict[str, SavedFunction]:
    """Every function at the top level of the folder's `.py` files, by name.

    One whose name begins with an underscore is there for the others: no search finds it, and none is shown.

    Args:
        folder: Read now, once; not the folders in it.
        most: How many functions there may be.
        most_chars: How long each may be.

    Raises:
        UserError: A function cannot be saved, or two have one name; the message names the file.
    """
    if not folder.is_dir():
        raise UserError(
            f'SavedFunctions(folder=...) is {str(folder)!r}, and there is no such folder; name one with .py files.'
        )
    found, files = dict[str, SelfContained](), dict[str, Path]()
    for file in sorted(folder.glob('*.py')):
        text = _python_text(file)
        for name in sorted(bindings(text)):
            if name in files:
                raise UserError(f'{file} and {files[name]} both define {name}; rename one.')
            found[name], files[name] = _standalone(name, text, file, most_chars), file
    if len(found) > most:
        raise UserError(f'{folder} holds {len(found):,} functions; {most:,} are allowed (max_functions).')
    functions = {name: _function_of(function, found.keys()) for name, function in found.items()}
    _see_that_none_call_in_circles(functions, files)
    return functions


def _python_text(file: Path) -> str:
    try:
        text = file.read_text('utf-8')
        ast.parse(text)
    except (OSError, ValueError, SyntaxError) as error:
        raise UserError(f'{file} cannot be read as Python: {error}') from error
    return text


def _standalone(name: str, text: str, file: Path, most_chars: int) -> SelfContained:
    reason = why_reserved(name)
    if not may_be_named(name):
        reason = 'names of saved functions are lower-case letters, digits and _, 60 at most'
    if reason is not None:
        raise UserError(f'{file}: {name} cannot be saved: {reason}; rename it.')
    try:
        # What no file binds may be a tool or a function of another file; the check of the script that uses it tells.
        function = self_contained(name, [text], lambda other: True)
    except NotSelfContained as error:
        raise UserError(f'{file}: {error}') from error
    if len(function.code) > most_chars:
        raise UserError(
            f'{file}: {name} has {len(function.code):,} characters; {most_chars:,} are allowed (max_chars).'
        )
    return function


def _function_of(function: SelfContained, names: Collection[str]) -> SavedFunction:
    node = function_in(function.code, function.name)
    docs = None if node is None else ast.get_docstring(node)
    return SavedFunction(
        name=function.name,
        description=(docs or function.name.replace('_', ' ')).split('\n\n')[0],
        code=function.code,
        tools=tuple(sorted(function.left.difference(names))),
        functions=tuple(sorted(function.left.intersection(names))),
    )


def _see_that_none_call_in_circles(functions: Mapping[str, SavedFunction], files: Mapping[str, Path]) -> None:
    for name in functions:
        if name in callees(functions[name], functions):
            raise UserError(f'{files[name]}: {name} calls itself through other functions; write them into {name}.')


SAVE_FUNCTION = 'save_function'
_OWN_NAMES = frozenset({RUN_CODE, SEARCH_IN_CODE, SAVE_FUNCTION, 'final_result', 'final_text'})


def why_reserved(name: str) -> str | None:
    """Why the name is taken; `None` where it is not."""
    if name in _OWN_NAMES:
        return f'{name} is a name of code mode itself'
    if hasattr(builtins, name) or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return f"{name} is a name of Python's own"
    return None
