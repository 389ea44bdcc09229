"""Parses Python text, and indexes syntax trees."""

import ast
import gc
import re
import warnings
from collections.abc import Callable, Generator, Iterable, Sequence, Set
from contextlib import contextmanager
from functools import cache, cached_property, lru_cache
from typing import Any, TypeVar

_TreeT = TypeVar('_TreeT', bound=ast.AST)
_DIALECT = (3, 11)
"""The Python version of scripts: newer syntax is an error on every version of the host's Python."""
_NAME = '<snippet>'
_UNWARNED = ('ignore', None, Warning, re.compile(_NAME), 0)
"""The entry for `warnings.filters` that ignores warnings about scripts (`'\\\\d'`)."""


def module_of(text: str) -> ast.Module:
    """Parse statements. Raises `SyntaxError`, or `ValueError` for null bytes."""
    return _parsed(lambda: ast.parse(text, _NAME, feature_version=_DIALECT))


@lru_cache(maxsize=4)
def tree_of(text: str) -> ast.Module:
    """Parse statements like `module_of`. Cached for recent texts, so the trees must not change."""
    return module_of(text)


def expression_of(text: str) -> ast.expr:
    """Parse one expression. Raises the same errors as `module_of`."""
    return _parsed(lambda: ast.parse(text, _NAME, 'eval', feature_version=_DIALECT)).body


def children(node: ast.AST) -> list[ast.AST]:
    """Return the nodes directly below a node, without marks such as `Load` and `Add`."""
    found: list[ast.AST] = []
    for name in parts_of(type(node)):
        value: ast.AST | list[ast.AST | None] | None = getattr(node, name, None)
        if isinstance(value, list):
            # Keys of a dict and defaults of keywords have holes.
            found.extend(filter(None, value))
        elif value is not None:
            found.append(value)
    return found


def walk(node: ast.AST) -> Sequence[ast.AST]:
    """Return the node and all nodes below it, from the outside in, without marks such as `Load` and `Add`.

    Many rules walk the same whole tree, so the results for recent trees are cached; the trees must not change.
    """
    return index_of(node).nodes if isinstance(node, ast.Module) else _walked(node)


def words(text: str, of: str = '') -> frozenset[str]:
    """Return the words of a text, as names of the module `of` if given: `builtins.len`."""
    return frozenset(f'{of}.{word}' if of else word for word in text.split())


def own_nodes(nodes: Iterable[ast.AST]) -> list[ast.AST]:
    """Return the nodes of a function, without those inside nested functions and classes, from the outside in."""
    found = [*nodes]
    for node in found:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            found += [*getattr(node, 'decorator_list', []), *node.args.defaults]
        else:
            found += node.decorator_list if isinstance(node, ast.ClassDef) else children(node)
    return found


def all_of(tree: ast.Module, kind: type[_TreeT]) -> Sequence[_TreeT]:
    """Return the nodes of one kind in a whole tree, from the outside in. The tree is indexed only once."""
    return index_of(tree).kinds.get(kind, _NONE)


class NodeIndex:
    """The shared index of a whole tree, because walking the nodes is most of the work of preparing a script."""

    def __init__(self, tree: ast.Module) -> None:
        self.nodes: list[ast.AST] = [tree]
        """All nodes, from the outside in."""
        self.below: dict[ast.AST, list[ast.AST]] = {}
        """The nodes directly below each node that has any."""
        self.kinds: dict[type[ast.AST], list[Any]] = {}
        """The nodes of each kind."""
        nodes, below, kinds = self.nodes, self.below, self.kinds
        for node in nodes:
            kind = type(node)
            if kind in kinds:
                kinds[kind].append(node)
            else:
                kinds[kind] = [node]
            if parts_of(kind) and (inner := children(node)):
                below[node] = inner
                nodes += inner
        self.names: Set[str] = {node.id for node in kinds.get(ast.Name, ())}
        """All names that are read, bound or deleted."""
        self.attributes: Set[str] = {node.attr for node in kinds.get(ast.Attribute, ())}
        """All names after a dot."""

    @property
    def words(self) -> Set[str]:
        """All names and attributes."""
        return self.names | self.attributes

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The parent of each node."""
        return {child: node for node, inner in self.below.items() for child in inner}


@lru_cache(maxsize=4)
def index_of(tree: ast.Module) -> NodeIndex:
    """Return the index of a tree. Cached for recent trees, which must not change."""
    return NodeIndex(tree)


@lru_cache(maxsize=4)
def caught_at(tree: ast.Module) -> dict[int, set[str]]:
    """Return for each line the names of the errors that are caught there; the empty name is a bare `except`."""
    found = dict[int, set[str]]()
    for node in walk(tree):
        if isinstance(node, ast.Try | ast.TryStar):
            kinds = [handler.type for handler in node.handlers]
        elif isinstance(node, ast.With | ast.AsyncWith):
            calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
            kinds = [kind for call in calls if ast.unparse(call.func).endswith('suppress') for kind in call.args]
        else:
            continue
        names = {part.id for kind in kinds if kind for part in ast.walk(kind) if isinstance(part, ast.Name)}
        caught = names | {''} if None in kinds else names
        for line in (
            range(node.body[0].lineno, (node.body[-1].end_lineno or node.body[-1].lineno) + 1) if caught else ()
        ):
            found.setdefault(line, set()).update(caught)
    return found


def _walked(node: ast.AST) -> Sequence[ast.AST]:
    found = [node]
    for part in found:
        if parts_of(type(part)):
            found += children(part)
    return found


CHANGING = words(
    'append appendleft extend insert remove pop popleft popitem clear update setdefault add discard sort reverse'
)
"""Methods that change lists, dicts and deques; of sets only `add` and `discard`."""
_NONE: list[Any] = []
_LEAVES = frozenset([ast.Constant, ast.MatchSingleton, ast.Global, ast.Nonlocal, ast.alias])
_PLAIN = frozenset(
    [
        *('ctx', 'op', 'ops', 'id', 'attr', 'arg', 'kind', 'module', 'level', 'asname', 'simple', 'name', 'rest'),
        *('is_async', 'conversion', 'type_comment', 'type_ignores', 'kwd_attrs'),
    ]
)
"""Fields that contain only marks, names and numbers, in all kinds of nodes except one."""


@cache
def parts_of(kind: type[ast.AST]) -> tuple[str, ...]:
    """Return the fields of a kind of node that contain nodes."""
    if kind in _LEAVES:
        return ()
    return tuple(name for name in kind._fields if name not in _PLAIN or (kind.__name__, name) == ('TypeAlias', 'name'))


def _parsed(parse: Callable[[], _TreeT]) -> _TreeT:
    # Python 3.11 and 3.12 have one depth counter for all trees under construction. If the garbage collector runs other
    # code, and that code parses too, the counts mix, which raises a spurious `SystemError`.
    # https://github.com/python/cpython/issues/106905
    if _UNWARNED not in warnings.filters:
        warnings.filterwarnings('ignore', module=_NAME)
    try:
        return parse()
    except SystemError:
        with uncollected():
            return parse()


@contextmanager
def uncollected() -> Generator[None, None, None]:
    """Disable the garbage collector in the body.

    It would scan all nodes of a long text repeatedly, which took up to half of the time of preparing one, and find
    nothing, because trees have no cycles. Several threads may be in the body: the first to enter enables it again.
    """
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()
