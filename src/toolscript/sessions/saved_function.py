"""A saved function, and the functions in a folder."""

import ast
import builtins
import hashlib
import json
import keyword
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ConfigDict, ValidationError, with_config
from pydantic_ai import UserError

from toolscript.routing.placement import RUN_CODE, SAVE_FUNCTION, SEARCH_IN_CODE
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
    """The function, preceded by the imports that it needs."""
    version: int = 0
    """Starts at 1; 0 for functions in a folder."""
    tools: tuple[str, ...] = ()
    """The tools that it calls, with their signatures when it was saved."""
    functions: tuple[str, ...] = ()
    """The names of the other saved functions that it calls."""
    saved_at: float = 0.0
    """Seconds since 1970; 0 for functions in a folder."""
    conversation_id: str | None = None
    """The conversation in which a script saved it."""
    tool_call_id: str | None = None
    """The call that saved it."""

    @property
    def tool_names(self) -> tuple[str, ...]:
        """The names of the tools that it calls, as used in code."""
        # A signature may be only a name.
        return tuple(signature.partition('(')[0].rpartition(' ')[2] for signature in self.tools)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.code.encode()).hexdigest()[:16]

    def to_text(self) -> str:
        return json.dumps(_json.dump_python(self))

    @classmethod
    def from_text(cls, text: str) -> 'SavedFunction | None':
        """Return the function from its JSON; `None` if the text is invalid."""
        try:
            found = _json.load(text)
        except ValidationError:
            return None
        return found if function_in(found.code, found.name) is not None else None


def may_be_named(name: str) -> bool:
    """Return whether a function may be saved under a name that every store can distinguish from all others."""
    return _NAME.fullmatch(name) is not None


def callees(function: SavedFunction, others: Mapping[str, SavedFunction]) -> set[str]:
    """Return the names of the saved functions among `others` that it calls, directly or indirectly."""
    found, waiting = set[str](), [function]
    for one in waiting:
        new = [name for name in one.functions if name in others and name not in found]
        found.update(new)
        waiting += [others[name] for name in new]
    return found


_json = StoredJson(SavedFunction)
stored_list = StoredJson(list[SavedFunction])


def functions_of(folder: Path, *, max_functions: int, max_chars: int) -> dict[str, SavedFunction]:
    """Return all functions at the top level of the folder's `.py` files, by name.

    A function whose name begins with an underscore is only for the others: it is neither found by searches nor listed.

    Args:
        folder: The folder, which is read once, without its subfolders.
        max_functions: The maximum number of functions.
        max_chars: The maximum length of each function, in characters.

    Raises:
        UserError: A function cannot be saved, or two have the same name; the message names the file.
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
            found[name], files[name] = _standalone(name, text, file, max_chars), file
    if len(found) > max_functions:
        raise UserError(f'{folder} holds {len(found):,} functions; {max_functions:,} are allowed (max_functions).')
    functions = {name: _function_of(function, found.keys()) for name, function in found.items()}
    _check_no_recursion(functions, files)
    return functions


def _python_text(file: Path) -> str:
    try:
        text = file.read_text('utf-8')
        ast.parse(text)
    except (OSError, ValueError, SyntaxError) as error:
        raise UserError(f'{file} cannot be read as Python: {error}') from error
    return text


def _standalone(name: str, text: str, file: Path, max_chars: int) -> SelfContained:
    reason = why_reserved(name)
    if not may_be_named(name):
        reason = 'names of saved functions are lower-case letters, digits and _, 60 at most'
    if reason is not None:
        raise UserError(f'{file}: {name} cannot be saved: {reason}; rename it.')
    try:
        # Unbound names may be tools or functions of another file; a script that uses the function is checked later.
        function = self_contained(name, [text], lambda other: True)
    except NotSelfContained as error:
        raise UserError(f'{file}: {error}') from error
    if len(function.code) > max_chars:
        raise UserError(f'{file}: {name} has {len(function.code):,} characters; {max_chars:,} are allowed (max_chars).')
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


def _check_no_recursion(functions: Mapping[str, SavedFunction], files: Mapping[str, Path]) -> None:
    for name in functions:
        if name in callees(functions[name], functions):
            raise UserError(f'{files[name]}: {name} calls itself through other functions; write them into {name}.')


_OWN_NAMES = frozenset({RUN_CODE, SEARCH_IN_CODE, SAVE_FUNCTION, 'final_result', 'final_text'})


def why_reserved(name: str) -> str | None:
    if name in _OWN_NAMES:
        return f'{name} is a name of code mode itself'
    if hasattr(builtins, name) or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return f"{name} is a name of Python's own"
    return None
