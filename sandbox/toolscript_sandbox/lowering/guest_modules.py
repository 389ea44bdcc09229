"""Modules and functions that Monty lacks, written in the Python that it runs.

The folder `guest` holds one file per module. Its definitions reach a session under prefixed names (`_heapq_heappush`),
so that nothing which a snippet binds can hide them, and nothing of them hides a function of the host. Where a file
imports from another one (`from .errors import own`), both reach the session, and it finds there what it imports.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import TypeGuard, TypeVar

from toolscript_sandbox.text.bindings import bound_by
from toolscript_sandbox.text.names import names_of
from toolscript_sandbox.text.scopes import scopes_of
from toolscript_sandbox.text.syntax import all_of, module_of

Definition = TypeVar('Definition', ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Guest:
    """One file of the folder."""

    module: str
    code: str
    """With prefixed names."""
    names: frozenset[str]
    """What the module offers."""
    needs: tuple[str, ...] = ()
    """Other guest modules that it uses."""
    homes: Mapping[str, str] = field(default_factory=dict[str, str])
    """Where it has names from that it imports from other guest modules."""

    def prefixed(self, name: str) -> str:
        """The name under which a session has it."""
        return _prefixed(self.homes.get(name, self.module), name)


_FOLDER = files('toolscript_sandbox.lowering') / 'guest'
_WORDS = (
    'async_contexts async_generators builtins byte_arrays byte_places byte_values complexes coroutines '
    'data_members date_methods date_reading deadlines entered error_kinds errors event_loop exit_stacks failures '
    'first_keys functions generators groups hashes heirs iterators keeping locks members methods missing_keys '
    'named_methods nans natives number_methods ordered_heirs ordering own_names paths pattern_programs pattern_reading '
    'pattern_steps pattern_templates pattern_translation pattern_widths patterns queues records rounding set_order '
    'sets shown signs streams task_groups tasks text_methods waiting whole wording'
)
_PARTS = frozenset([*_WORDS.split(), 'files'])
"""Files that only rules and other files use."""
_DOTTED = {
    'collections_abc': 'collections.abc',
    'concurrent_futures': 'concurrent.futures',
    'urllib_parse': 'urllib.parse',
}
_FILES = frozenset(file.name.removesuffix('.py') for file in _FOLDER.iterdir() if file.name.endswith('.py'))
NATIVES = 'natives'
"""The guest's own names for builtins."""
HEAPS_OF_OBJECTS = 'heaps_of_objects'
"""The guest's `heapq`, asking the items' classes how they compare."""
ASKED_OF_GUESTS = {
    'calendar': ('.firstweekday',),
    'collections.ChainMap': ('collections.ChainMap', '__bool__', '__delitem__', '__getitem__', '__len__', 'keys'),
    'fractions': ('__lt__', '__le__', '__gt__', '__ge__', '__bool__'),
    'pathlib': ('__lt__',),
    'shlex': ('.punctuation_chars',),
    'urllib.parse': ('.port', '__len__'),
    'uuid': ('__lt__', '__le__', '__gt__', '__ge__'),
}
"""Methods of the classes in guest modules that only rules call, and, as names behind a dot, their properties."""
HOSTED = {
    module: frozenset(names.split())
    for module, names in {
        'calendar': (
            'Calendar FRIDAY IllegalMonthError IllegalWeekdayError MONDAY SATURDAY SUNDAY THURSDAY TUESDAY WEDNESDAY '
            'TextCalendar calendar day_abbr day_name firstweekday isleap leapdays month month_abbr month_name '
            'monthcalendar monthrange prcal prmonth setfirstweekday timegm weekday'
        ),
        'colorsys': 'hls_to_rgb hsv_to_rgb rgb_to_hls rgb_to_hsv rgb_to_yiq yiq_to_rgb',
        'difflib': (
            'Differ IS_CHARACTER_JUNK IS_LINE_JUNK SequenceMatcher context_diff get_close_matches ndiff restore '
            'unified_diff'
        ),
        'fnmatch': 'filter fnmatch fnmatchcase translate',
        'graphlib': 'CycleError TopologicalSorter',
        'keyword': 'iskeyword issoftkeyword kwlist softkwlist',
        'shlex': 'join quote shlex split',
        'textwrap': 'TextWrapper dedent fill indent shorten wrap',
        'urllib.parse': (
            'DefragResult ParseResult SplitResult parse_qs parse_qsl quote quote_from_bytes quote_plus unquote '
            'unquote_plus unquote_to_bytes urldefrag urlencode urljoin urlparse urlsplit urlunparse urlunsplit'
        ),
    }.items()
}
"""What is taken of modules whose source on the host is lowered instead, by `host_modules`."""
GUESTS = HOSTED.keys() | frozenset(_DOTTED.get(name, name) for name in _FILES - _PARTS)
"""Modules of Python of which there is a guest's version."""


@cache
def guest(module: str) -> Guest | None:
    """The guest's version of a module, or of the part of it that Monty lacks."""
    name = module.replace('.', '_')
    if module == HEAPS_OF_OBJECTS:
        return _guest(
            module,
            _with_asked_order((_FOLDER / 'heapq.py').read_text()),
            (
                'ordering',
                'records',
            ),
        )
    if module in HOSTED:
        # A source is lowered with the help of other guest modules, so the two know each other.
        from .host_modules import hosted

        source = hosted(module, HOSTED[module], (_FOLDER / f'{name}.py').read_text() if name in _FILES else '')
        found = _guest(module, source.code, tuple(sorted(source.pieces)))
        return replace(found, names=HOSTED[module] if source.code else frozenset())
    return _guest(module, (_FOLDER / f'{name}.py').read_text()) if name in _FILES else None


def texts_of_guests() -> Iterator[str]:
    """What is written in the files of the folder."""
    return ((_FOLDER / f'{name}.py').read_text() for name in sorted(_FILES))


def with_needs(pieces: Iterable[str]) -> tuple[str, ...]:
    """The guest modules and those that they use, in the order in which they are loaded."""
    found = dict[str, None]()
    waiting = [(piece, False) for piece in sorted(pieces, reverse=True)]
    begun = set[str]()
    while waiting:
        piece, is_ready = waiting.pop()
        if is_ready:
            found[piece] = None
        elif piece not in begun and (version := guest(piece)) is not None:
            begun.add(piece)
            waiting += [(piece, True), *((need, False) for need in reversed(version.needs))]
    return tuple(found)


def _guest(module: str, text: str, needs: tuple[str, ...] = ()) -> Guest:
    tree = module_of(text)
    own = names_of(tree).bound
    imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    homes = {name: node.module for node in imports if _is_of_guests(node) and node.module for name in bound_by(node)}
    imported = {name for node in imports for name in bound_by(node)} - homes.keys()
    names = {name: _prefixed(homes.get(name, module), name) for name in own}
    named = [] if module == NATIVES else list(_natives(tree))
    for node in named:
        node.id = _prefixed(NATIVES, node.id)
    code = ast.unparse(_Prefix(names).visit(tree))
    offered = frozenset(name for name in own - imported if not name.startswith('_'))
    first = (NATIVES,) if named else ()
    return Guest(module, code, offered, (*first, *needs, *dict.fromkeys(homes.values())), homes)


def _natives(tree: ast.Module) -> Iterator[ast.Name]:
    """Where builtins are used, but for exceptions."""
    scopes, native = scopes_of(tree), native_names()
    for node in all_of(tree, ast.Name):
        if node.id in native and isinstance(node.ctx, ast.Load) and scopes.owner(node) is None:
            yield node


@cache
def native_names() -> frozenset[str]:
    """The builtins that guests use under names of their own, which have to be given before a script takes theirs."""
    return frozenset(names_of(module_of((_FOLDER / f'{NATIVES}.py').read_text())).bound)


def _is_of_guests(node: ast.Import | ast.ImportFrom) -> TypeGuard[ast.ImportFrom]:
    return isinstance(node, ast.ImportFrom) and node.level == 1


def _with_asked_order(text: str) -> str:
    """The source, with `a < b` and `sorted` in the words of the guest's `ordering`."""
    return ast.unparse(_Asked().visit(module_of(text)))


class _Asked(ast.NodeTransformer):
    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Compare(left=left, ops=[ast.Lt()], comparators=[right]):
                return ast.Call(ast.Name(_prefixed('ordering', 'less'), ast.Load()), [left, right], [])
            case _:
                return node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(_prefixed('ordering', 'in_order'), ast.Load()) if node.id == 'sorted' else node


def offers(module: str, name: str) -> bool:
    """Whether the guest's version of the module has the name."""
    version = guest(module)
    return version is not None and name in version.names


_DATA = frozenset(['html.entities'])


def _prefixed(module: str, name: str) -> str:
    return f'_{module.replace(".", "_")}_{name}'


class _Prefix(ast.NodeTransformer):
    """Renames the definitions of a file, wherever they are used in it."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._renamed(node.id)
        return node

    def visit_Global(self, node: ast.Global) -> ast.Global:
        node.names = [self._renamed(name) for name in node.names]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        node.returns = None
        return self._function(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        methods = [part for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]
        names = [method.name for method in methods]
        node = self._definition(node)
        for method, name in zip(methods, names, strict=True):
            method.name = name
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        self.generic_visit(node)
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.fix_missing_locations(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Name(id=value)) if target == value:
                # `TimeoutError = TimeoutError` offers a builtin under the module's name.
                node.targets = [ast.Name(self._renamed(target), ast.Store())]
            case _:
                self.generic_visit(node)
        return ast.fix_missing_locations(node)

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for alias in node.names:
            alias.asname = self._renamed(alias.asname or alias.name)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt | None:
        if node.module in ('__future__', 'collections.abc', 'typing') or _is_of_guests(node):
            return None
        if node.module in _DATA:
            # Tables of the host's library become part of the text.
            value = module_of(repr(getattr(importlib.import_module(node.module), node.names[0].name))).body[0]
            assert isinstance(value, ast.Expr)
            target = ast.Name(self._renamed(node.names[0].name), ast.Store())
            return ast.fix_missing_locations(ast.copy_location(ast.Assign([target], value.value), node))
        for alias in node.names:
            alias.asname = self._renamed(alias.asname or alias.name)
        return node

    def _function(self, node: Definition) -> Definition:
        # A parameter hides the definition of that name.
        parameters = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
        node.name = self._renamed(node.name)
        names = self._names
        self._names = {name: renamed for name, renamed in names.items() if name not in parameters}
        self.generic_visit(node)
        self._names = names
        return node

    def _definition(self, node: Definition) -> Definition:
        node.name = self._renamed(node.name)
        self.generic_visit(node)
        return node

    def _renamed(self, name: str) -> str:
        return self._names.get(name, name)
