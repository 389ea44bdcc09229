"""The functions of a developer's folder."""

import ast
from collections.abc import Collection, Mapping
from pathlib import Path

from pydantic_ai import UserError

from toolscript_sandbox import NotSelfContained, SelfContained, defines, function_in, standalone

from .kept_function import SavedFunction, callees, may_be_named
from .reserved import why_reserved


def functions_of(folder: Path, *, most: int, most_chars: int) -> dict[str, SavedFunction]:
    """Every function at the top level of the folder's `.py` files, by name.

    One whose name begins with an underscore is there for the others: no search finds it, and none is shown.

    Args:
        folder: Read now, once; not the folders in it.
        most: How many functions there may be.
        most_chars: How long each may be.

    Raises:
        UserError: A function cannot be kept, or two have one name; the message names the file.
    """
    if not folder.is_dir():
        raise UserError(
            f'SavedFunctions(folder=...) is {str(folder)!r}, and there is no such folder; name one with .py files.'
        )
    found, files = dict[str, SelfContained](), dict[str, Path]()
    for file in sorted(folder.glob('*.py')):
        text = _text(file)
        for name in sorted(defines(text)):
            if name in files:
                raise UserError(f'{file} and {files[name]} both define {name}; rename one.')
            found[name], files[name] = _standalone(name, text, file, most_chars), file
    if len(found) > most:
        raise UserError(f'{folder} holds {len(found):,} functions; {most:,} are allowed (max_functions).')
    functions = {name: _kept(function, found.keys()) for name, function in found.items()}
    _see_that_none_call_in_circles(functions, files)
    return functions


def _text(file: Path) -> str:
    try:
        text = file.read_text('utf-8')
        ast.parse(text)
    except (OSError, ValueError, SyntaxError) as error:
        raise UserError(f'{file} cannot be read as Python: {error}') from error
    return text


def _standalone(name: str, text: str, file: Path, most_chars: int) -> SelfContained:
    reason = why_reserved(name)
    if not may_be_named(name):
        reason = 'names of kept functions are lower-case letters, digits and _, 60 at most'
    if reason is not None:
        raise UserError(f'{file}: {name} cannot be kept: {reason}; rename it.')
    try:
        # What no file binds may be a tool or a function of another file; the check of the script that uses it tells.
        function = standalone(name, [text], lambda other: True)
    except NotSelfContained as error:
        raise UserError(f'{file}: {error}') from error
    if len(function.code) > most_chars:
        raise UserError(
            f'{file}: {name} has {len(function.code):,} characters; {most_chars:,} are allowed (max_chars).'
        )
    return function


def _kept(function: SelfContained, names: Collection[str]) -> SavedFunction:
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
            raise UserError(
                f'{files[name]}: {name} calls itself through other functions; write those into it, so that it stands '
                'by itself.'
            )
