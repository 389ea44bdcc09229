"""Finds the definitions of polyfills that a text uses, and links their code for a session.

Each file of this folder is a Python module that runs inside Monty. Its top-level names get a prefix in a session
(`heappush` of `heapq.py` becomes `_heapq__heappush`), so that no name of a script can hide them. `from .errors import
own` refers to a definition of another file. Builtins also get such names (`natives`), because a script may bind `max`.
A session loads only the definitions that its scripts use: each one costs time, and space in the state.
"""

from typing import NamedTuple
import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from toolscript_sandbox.language.names import names_of, polyfill
from toolscript_sandbox.language.scopes import scopes_of
from toolscript_sandbox.language.syntax import all_of, module_of

_FOLDER = files('toolscript_sandbox') / 'polyfills'
_PYTHON = frozenset(['__init__', 'linker'])
"""Files in the folder that run on the host."""
NATIVES = 'natives'
"""The file with the builtins under prefixed names."""
_NATIVES = (
    'NotImplemented TimeoutError abs all any bin bool bytes chr complex dict divmod enumerate float format frozenset '
    'getattr hasattr hash id int isinstance iter len list max min next object open ord pow print range repr round set '
    'setattr slice sorted str sum tuple type zip'
)
_NAME = re.compile(r'\b_([a-zA-Z][a-zA-Z0-9_]*?)__\w+')


class Statement(NamedTuple):
    """A top-level statement of a polyfill."""

    code: str
    """The code, with prefixed names."""
    needs: frozenset[str]
    """The definitions that the statement uses."""


class Polyfill(NamedTuple):
    """A parsed file of the folder."""

    statements: tuple[Statement, ...]
    definitions: Mapping[str, tuple[int, ...]]
    """For each name in a session, the numbers of the statements that define or change it."""
    uses: tuple[str, ...]
    """Other files, which are loaded first."""


@cache
def names() -> frozenset[str]:
    """Return the names of all files."""
    found = (file.name for file in _FOLDER.iterdir() if file.name.endswith('.py'))
    return frozenset(name.removesuffix('.py') for name in found) - _PYTHON


@cache
def home(module: str, name: str) -> str:
    """Return the name of a definition in the file that defines it, so that a file that re-exports it is not loaded."""
    file = _FOLDER / f'{module.replace(".", "_")}.py'
    if file.is_file():
        for node in all_of(module_of(file.read_text()), ast.ImportFrom):
            if node.level and node.module and name in [alias.asname or alias.name for alias in node.names]:
                return home(node.module, name)
    return polyfill(module, name)


def needed_by(text: str) -> frozenset[str]:
    """Return the definitions that the text names."""
    found = {match.group(): match[1] for match in _NAME.finditer(text)}
    return frozenset(name for name, file in found.items() if file in names() and name in read(file).definitions)


def natives() -> frozenset[str]:
    """Return the definitions of all builtins that polyfills use."""
    return frozenset(read(NATIVES).definitions)


def in_order(needed: Iterable[str]) -> tuple[str, ...]:
    """Return the definitions and those that they use, in the order in which they are loaded."""
    found, waiting = set[str](), [*needed]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _needs(name)
    order = {file: place for place, file in enumerate(_files_in_order(sorted({_file_of(name) for name in found})))}
    return tuple(sorted(found, key=lambda name: (order[_file_of(name)], read(_file_of(name)).definitions[name], name)))


@cache
def _needs(name: str) -> frozenset[str]:
    polyfill = read(_file_of(name))
    return frozenset[str]().union(*(polyfill.statements[number].needs for number in polyfill.definitions[name]))


def _file_of(name: str) -> str:
    match = _NAME.match(name)
    assert match is not None
    return match[1]


def _files_in_order(needed: Iterable[str]) -> Iterator[str]:
    """Yield the files and those that they use, each after the ones that it uses."""
    begun = set[str]()

    def after(name: str) -> Iterator[str]:
        if name not in begun:
            begun.add(name)
            for other in read(name).uses:
                yield from after(other)
            yield name

    for name in needed:
        yield from after(name)


@cache
def waits(name: str) -> bool:
    """Return whether anything in a file, or in the files that it uses, calls the host."""
    codes = (one.code for file in _files_in_order([name]) for one in read(file).statements)
    return any('_host__(' in code or '_loop__(' in code for code in codes)


def code_of(definitions: Iterable[str]) -> str:
    """Return the code that loads these definitions, which are in order, into a session."""
    wanted = dict.fromkeys((_file_of(name), number) for name in definitions for number in _numbers(name))
    files = dict.fromkeys(file for file, _ in wanted)
    return '\n'.join(
        read(file).statements[number].code for file in files for number in sorted(n for f, n in wanted if f == file)
    )


def _numbers(name: str) -> tuple[int, ...]:
    return read(_file_of(name)).definitions[name]


@cache
def read(name: str) -> Polyfill:
    """Read a polyfill from its file."""
    if name == NATIVES:
        own = [polyfill(NATIVES, one) for one in _NATIVES.split()]
        statements = tuple(Statement(f'{one} = {word}', frozenset()) for one, word in zip(own, _NATIVES.split(), strict=True))
        return Polyfill(statements, {one: (number,) for number, one in enumerate(own)}, ())
    tree = module_of((_FOLDER / f'{name}.py').read_text())
    homes = {
        alias.asname or alias.name: home(node.module, alias.name)
        for node in all_of(tree, ast.ImportFrom)
        if node.level and node.module
        for alias in node.names
    }
    own = {one: polyfill(name, one) for one in names_of(tree).bound if one not in homes}
    classes = {own[node.name] for node in tree.body if isinstance(node, ast.ClassDef)}
    _rename(tree, {**own, **homes})
    statements, makers = list[Statement](), dict[str, list[int]]()
    for node in filter(_is_loaded, tree.body):
        found = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
        stored = {part.id for part in found if isinstance(part.ctx, ast.Store)}
        named = [part.id for part in found if part.id not in stored]
        changed = [one for one in named if one in classes][:1] or [one for one in named if one in own.values()]
        for one in {*_defined(node)} or {*changed} or own.values():
            makers.setdefault(one, []).append(len(statements))
        needs = {one for one in named if (match := _NAME.fullmatch(one)) is not None and match[1] in names()}
        statements.append(Statement(ast.unparse(node), frozenset(needs)))
    uses = dict.fromkeys(_file_of(one) for statement in statements for one in sorted(statement.needs))
    definitions = {one: tuple(numbers) for one, numbers in makers.items()}
    return Polyfill(tuple(statements), definitions, tuple(one for one in uses if one != name))


def _defined(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement defines. Others change the names that they use: the first class, or all."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Import() | ast.ImportFrom():
            yield from (alias.asname or alias.name for alias in node.names)
        case ast.Assign(targets=targets):
            parts = (part for target in targets for part in ast.walk(target))
            yield from (part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
        case _:
            pass


def _rename(tree: ast.Module, names: Mapping[str, str]) -> None:
    """Prefix the names of definitions and builtins, and remove docstrings."""
    scopes, known = scopes_of(tree), frozenset(_NATIVES.split())
    for node in all_of(tree, ast.Name):
        owner = scopes.owner(node)
        if owner is scopes.module:
            node.id = names[node.id]
        elif owner is None and node.id in known:
            node.id = polyfill(NATIVES, node.id)
    for kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
        for node in all_of(tree, kind):
            node.body = [part for part in node.body if not _is_text(part)] or [ast.Pass()]
            if scopes.around(node) is scopes.module:
                node.name = names[node.name]
    for alias in all_of(tree, ast.alias):
        alias.asname = names[alias.asname or alias.name]


def _is_loaded(node: ast.stmt) -> bool:
    is_of_readers = isinstance(node, ast.ImportFrom) and (node.level > 0 or node.module in ('__future__', 'typing'))
    return not is_of_readers and not _is_text(node)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
