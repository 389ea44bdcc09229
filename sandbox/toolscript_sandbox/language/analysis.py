"""The shared analysis of a script: its nodes by kind, its names, their meanings, and its imports."""

import ast
import builtins
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from toolscript_sandbox.contract.functions import Functions
from toolscript_sandbox.language.names import NameUses, names_of
from toolscript_sandbox.language.scopes import Scopes, bindings_of, scopes_of
from toolscript_sandbox.language.syntax import NodeIndex, all_of, index_of, words

from .dialect import FORGOTTEN, MODULES

NodeT = TypeVar('NodeT', bound=ast.AST)


@dataclass(frozen=True)
class SessionFacts:
    """Facts about the earlier scripts of the session."""

    variables: frozenset[str] = frozenset()
    """The bound names."""
    callables: frozenset[str] = frozenset()
    """The variables that are functions, classes and modules."""
    meanings: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    """Imported names with their dotted full names: `{'dt': 'datetime', 'heappush': 'heapq.heappush'}`."""
    facts: frozenset[str] = frozenset()
    """Facts that transforms recorded: `'property total'`, `'method __lt__'`. Each transform documents its own."""
    polyfills: frozenset[str] = frozenset()
    """The loaded polyfills."""


@dataclass(frozen=True)
class Analysis:
    """The analysis of a script. Its tree is the parsed one: no transform has changed it yet."""

    text: str
    tree: ast.Module
    functions: Functions
    session: SessionFacts
    has_files: bool
    """Whether the script sees folders."""
    index: NodeIndex
    scopes: Scopes
    names: NameUses
    meanings: Mapping[str, str]
    """The dotted full names of what the imports at the top level bind, in this script and earlier ones."""
    forgotten: tuple[ast.Import | ast.ImportFrom, ...] = ()
    """The imports that the script forgot."""

    @cached_property
    def words(self) -> Set[str]:
        """Every name, attribute and imported name in the text."""
        aliases = self.index.kinds.get(ast.alias, ())
        return {*self.index.words, *(part for alias in aliases for part in alias.name.split('.'))}

    @cached_property
    def meant(self) -> Set[str]:
        """The dotted names of everything that the script refers to."""
        found = (meaning(node) for kind in (ast.Name, ast.Attribute) for node in self.all(kind))
        imported = {f'{node.module}.{alias.name}' for node in self.all(ast.ImportFrom) for alias in node.names}
        return {name for name in found if name is not None} | imported

    @cached_property
    def sync_functions(self) -> Set[str]:
        """The names of the functions and methods that the script defines, without asynchronous ones."""
        return {node.name for node in self.all(ast.FunctionDef)}

    @property
    def only_imports(self) -> bool:
        """Whether the script only tests what can be imported."""
        return all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in self.tree.body)

    @cached_property
    def mentioned(self) -> Set[str]:
        """Every name that is read or bound otherwise than by an import, also as a text, as in an annotation."""
        return self.index.names | {node.value for node in self.all(ast.Constant) if isinstance(node.value, str)}

    @property
    def kinds(self) -> Set[type[ast.AST]]:
        """The kinds of its nodes."""
        return self.index.kinds.keys()

    def all(self, kind: type[NodeT]) -> list[NodeT]:
        """Return the nodes of one kind, from the outside in."""
        return self.index.kinds.get(kind, [])

    def has(self, *facts: str) -> bool:
        """Return whether an earlier script left one of these facts."""
        return not self.session.facts.isdisjoint(facts)

    def means_module(self, module: str) -> bool:
        """Return whether any name of the script refers to the module or a member of it."""
        return any(name == module or name.startswith(f'{module}.') for name in self.meant)


def meaning(node: ast.AST) -> str | None:
    """Return the dotted name that the node refers to: `'builtins.len'`, `'heapq.heappush'`, `'tools.get_user'`."""
    return getattr(node, 'means', None)


def set_meaning(node: NodeT, dotted: str | None) -> NodeT:
    """Set the dotted name that the node refers to, and return the node."""
    setattr(node, 'means', dotted)  # noqa: B010 - nodes of the library have no such field
    return node


def analysed(
    text: str, tree: ast.Module, functions: Functions, session: SessionFacts, *, has_files: bool = False
) -> Analysis:
    """Analyze a script, and store in its nodes what they refer to (`meaning`)."""
    scopes, names = scopes_of(tree), names_of(tree)
    phantom = {
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if functions.get(alias.name) is not None
    }
    if phantom:
        # `from tools import get_user` binds nothing, because the function already exists.
        names = names._replace(bound=names.bound - phantom)
    own = {
        name: meant
        for kind in (ast.Import, ast.ImportFrom)
        for node in all_of(tree, kind)
        if scopes.around(node).kind == 'module'
        for name, meant in imported_by(node)
        if name not in phantom
    }
    earlier = {name: meant for name, meant in session.meanings.items() if name not in names.bound}
    forgotten = list(_forgotten(tree, names, session, functions))
    added = {name: meant for node in forgotten for name, meant in imported_by(node)}
    analysis = Analysis(
        text,
        tree,
        functions,
        session,
        has_files,
        index_of(tree),
        scopes,
        names,
        {**earlier, **added, **own},
        tuple(forgotten),
    )
    _tag(analysis)
    return analysis


def imported_by(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield the names that an import binds, each with its dotted full name."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            first = alias.name.partition('.')[0]
            yield alias.asname or first, alias.name if alias.asname else first
    else:
        module = 'typing' if node.module == 'typing_extensions' else node.module or ''
        for alias in node.names:
            yield alias.asname or alias.name, f'{module}.{alias.name}'


def _tag(analysis: Analysis) -> None:
    scopes, session = analysis.scopes, analysis.session
    module = scopes.module
    for node in analysis.all(ast.Name):
        name = node.id
        if not isinstance(node.ctx, ast.Load):
            continue
        owner = scopes.owner(node)
        if owner is not None and (owner is not module or name in analysis.names.bound):
            if name not in scopes.imported:
                continue
            nodes = owner.bound[name]
            if not all(isinstance(one, (ast.Import, ast.ImportFrom)) for one in nodes):
                continue
            last = nodes[0]
            assert isinstance(last, (ast.Import, ast.ImportFrom))
            dotted = dict(imported_by(last))[name]
        elif name in analysis.meanings:
            dotted = analysis.meanings[name]
        elif name in session.variables:
            continue
        elif analysis.functions.get(name) is not None:
            dotted = f'tools.{name}'
        elif name in _BUILTIN_NAMES:
            dotted = f'builtins.{name}'
        else:
            continue
        set_meaning(node, dotted)
    for node in reversed(analysis.all(ast.Attribute)):
        # From the inside out, so that `os.path.join` finds `os.path`.
        whole = meaning(node.value)
        if whole is not None and (whole in MODULES or f'{whole}.{node.attr}' in MODULES or whole in PACKAGES):
            set_meaning(node, f'{whole}.{node.attr}')


def _forgotten(
    tree: ast.Module, names: NameUses, session: SessionFacts, functions: Functions
) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield imports for the modules and names that a script uses without importing them."""
    if names.used.isdisjoint(_FORGETTABLE):
        return
    local, attributes = bindings_of(tree), dict[str, set[str]]()
    for node in all_of(tree, ast.Attribute):
        if isinstance(node.value, ast.Name):
            attributes.setdefault(node.value.id, set()).add(node.attr)
    for name in sorted((names.used & _FORGETTABLE) - names.bound - session.variables - session.meanings.keys()):
        if name in local or functions.get(name) is not None:
            continue
        asked = attributes.get(name, set())
        if name in ('datetime', 'date', 'time'):
            modular = asked & _OF_CLOCK_MODULES
            if name == 'time' and not modular:
                continue
            is_module = bool(modular) and name != 'date'
        else:
            is_module = name in MODULES and bool(asked)
        if is_module:
            yield ast.Import([ast.alias(name)])
        elif name in FORGOTTEN or name in ('datetime', 'date'):
            yield ast.ImportFrom(FORGOTTEN.get(name, 'datetime'), [ast.alias(name)], 0)


_BUILTIN_NAMES = frozenset(name for name in dir(builtins) if not name.startswith('_')) | {'__import__', '__name__'}
PACKAGES = frozenset(name[:place] for name in MODULES for place, char in enumerate(name) if char == '.')
"""Packages that contain modules of the table."""
_OF_CLOCK_MODULES = words('datetime timedelta timezone date time sleep perf_counter monotonic')
_FORGETTABLE = frozenset(name for name in MODULES if '.' not in name) | FORGOTTEN.keys() | {'date'}
