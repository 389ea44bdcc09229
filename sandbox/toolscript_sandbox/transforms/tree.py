"""Syntax trees: the meaning of a node, whether it was changed, and templates for new nodes.

`analysis` tags each name that refers to a builtin, a module, a member of a module or a tool (`meaning`). The tag is on
the node, so it moves with the node and survives a copy; a transform never looks for a name by its spelling. Nodes that
a transform creates are marked as changed, and so are all nodes above them: the writer generates their text and copies
the rest of the source unchanged.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, ClassVar, TypeVar, cast

from toolscript_sandbox.language.analysis import meaning
from toolscript_sandbox.language.syntax import module_of, parts_of

Part = ast.AST | str | Sequence[ast.AST]
"""The replacement of a placeholder in a template: nodes, or a name."""
NodeT = TypeVar('NodeT', bound=ast.AST)


def is_changed(node: ast.AST) -> bool:
    """Return whether a transform created or changed the node."""
    return getattr(node, 'is_changed', False)


def set_changed(node: NodeT) -> NodeT:
    """Mark the node as changed, and return it."""
    setattr(node, 'is_changed', True)  # noqa: B010
    return node


def is_call_of(node: ast.AST, *dotted: str) -> bool:
    """Return whether the node is a call of one of these."""
    return isinstance(node, ast.Call) and meaning(node.func) in dotted


def is_named(node: ast.AST, name: str) -> bool:
    """Return whether the node is this name."""
    return isinstance(node, ast.Name) and node.id == name


def quoted(template: str, at: ast.AST, **parts: Part) -> list[ast.stmt]:
    """Create statements in the line of `at` from a template.

    Names in capitals are placeholders: `quoted('X = _methods__call(X, NAME)', node, X=target, NAME='get')`. A text
    replaces a name (also one after a dot, of a function or of a keyword), a node replaces an expression, and a list of
    statements replaces a statement that is only the placeholder. A node may be used twice: then the second is a copy.
    """
    copier = _Copier(parts, at)
    return [new for node in _template(template) for new in copier.copies(node)]


def quoted_expression(template: str, at: ast.AST, **parts: Part) -> ast.expr:
    """Create an expression in the line of `at` from a template, like `quoted`."""
    (statement,) = quoted(template, at, **parts)
    assert isinstance(statement, ast.Expr)
    return statement.value


def call_of(function: str, node: ast.Call, *first: ast.expr) -> ast.Call:
    """Return the call as one of a polyfill's function, with these arguments first."""
    return placed(ast.Call(named(function, node), [*first, *node.args], node.keywords), node)


def named(name: str, at: ast.AST) -> ast.Name:
    """Create a name that is read, in the line of `at`."""
    return placed(ast.Name(name, ast.Load()), at)


def constant(value: Any, at: ast.AST) -> ast.Constant:
    """Create a constant in the line of `at`."""
    return placed(ast.Constant(value), at)


def placed(node: NodeT, at: ast.AST) -> NodeT:
    """Put a new node in the line of `at`. The nodes below it must already have a line."""
    place = vars(at)
    if 'lineno' in place:
        vars(node).update(zip(_PLACE, _place_of(at), strict=True))
    return set_changed(node)


_PLACE = ('lineno', 'col_offset', 'end_lineno', 'end_col_offset')
_place_of = attrgetter(*_PLACE)


@lru_cache(maxsize=512)
def _template(text: str) -> list[ast.stmt]:
    return module_of(text).body


class _Copier:
    def __init__(self, parts: dict[str, Part], at: ast.AST) -> None:
        self._parts = parts
        self._at = at
        self._used = set[str]()

    def copies(self, node: ast.AST) -> list[Any]:
        """Return the replacement of a node of the template."""
        holder = node.value if isinstance(node, (ast.Expr, ast.Starred)) else node
        part = self._parts.get(holder.id) if isinstance(holder, ast.Name) else None
        if isinstance(part, ast.AST):
            # A statement replaces a whole line, and an expression replaces a name.
            is_whole = node is not holder if isinstance(part, ast.stmt) else node is holder
            part = [part] if is_whole else None
        if part is None or isinstance(part, str):
            return [self._copied(node)]
        assert isinstance(holder, ast.Name)
        found = copy.deepcopy(part) if holder.id in self._used else part
        self._used.add(holder.id)
        if isinstance(holder.ctx, ast.Load):
            return [*found]
        return [as_target(one, holder.ctx) if isinstance(one, ast.expr) else one for one in found]

    def _copied(self, node: NodeT) -> NodeT:
        kind = type(node)
        # Newer Pythons warn if a node is made without its fields, which are set below.
        new = kind.__new__(kind)
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                items = cast('list[object]', value)
                value = [
                    made
                    for item in items
                    for made in (self.copies(item) if isinstance(item, ast.AST) else [self._text(item)])
                ]
            elif isinstance(value, ast.AST):
                value = value if isinstance(value, _MARKS) else self.copies(value)[0]
            elif isinstance(value, str) and field in _NAMING:
                value = self._text(value)
            setattr(new, field, value)
        return placed(new, self._at)

    def _text(self, value: object) -> object:
        part = self._parts.get(value) if isinstance(value, str) else None
        return part if isinstance(part, str) else value


_MARKS = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
_NAMING = frozenset(['attr', 'name', 'arg', 'id'])


def as_target(node: ast.expr, context: ast.expr_context | None = None) -> ast.expr:
    """Return a copy of the expression as a target, of an assignment unless `context` says otherwise."""
    context = context or ast.Store()
    if not hasattr(node, 'ctx'):
        return node
    new: Any = copy.copy(node)
    new.ctx = context
    if isinstance(new, (ast.Tuple, ast.List)):
        new.elts = [as_target(part, context) for part in new.elts]
    elif isinstance(new, ast.Starred):
        new.value = as_target(new.value, context)
    return set_changed(new)


def repeatable(target: ast.expr, fresh: Callable[[str], str]) -> tuple[list[ast.stmt], ast.expr]:
    """Return statements that compute the parts of a target once, and a target that can be read and set repeatedly."""
    before = list[ast.stmt]()

    def once(part: ast.expr) -> ast.expr:
        if isinstance(part, (ast.Name, ast.Constant, ast.Slice)):
            return part
        name = fresh('part')
        before.extend(quoted('NAME = X', part, NAME=name, X=part))
        return named(name, part)

    match target:
        case ast.Attribute(value=value):
            return before, placed(ast.Attribute(once(value), target.attr, ast.Store()), target)
        case ast.Subscript(value=value, slice=key):
            return before, placed(ast.Subscript(once(value), once(key), ast.Store()), target)
        case _:
            return before, target


class Transformer:
    """Rewrites a tree from the inside out.

    A subclass has methods `visit_<Kind>(node)`, like an `ast.NodeTransformer`, which return the node itself, another
    one, or, for a statement, a list. They call `self.below(node)` first to rewrite the nodes below; without this call
    those nodes stay as they are. Replacing a node marks all nodes above it as changed.
    """

    _methods: ClassVar[dict[type[ast.AST], str]] = {}
    _skipped: ClassVar[frozenset[type[ast.AST]]] = frozenset()
    """Kinds without nodes below them and without a method. Half of the nodes of a tree are of these kinds."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        names = {f'visit_{kind.__name__}': kind for kind in _all_kinds()}
        cls._methods = {names[name]: name for name in dir(cls) if name in names}
        is_plain = cls.visit is Transformer.visit
        cls._skipped = frozenset(
            kind for kind in names.values() if is_plain and not parts_of(kind) and kind not in cls._methods
        )

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        """Return the replacement of a node."""
        name = self._methods.get(type(node))
        if name is None:
            return self.below(node)
        method: Callable[[ast.AST], ast.AST | list[ast.stmt]] = getattr(self, name)
        return method(node)

    def expression(self, node: ast.expr) -> ast.expr:
        """Return the replacement of an expression."""
        return cast('ast.expr', self.visit(node))

    def body(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Return the replacements of statements."""
        found = list[ast.stmt]()
        for node in statements:
            new = self.visit(node)
            found += new if isinstance(new, list) else [cast('ast.stmt', new)]
        return found

    def below(self, node: NodeT) -> NodeT:
        """Rewrite the nodes below a node, and return it."""
        changed = False
        for name in parts_of(type(node)):
            old: ast.AST | list[ast.AST | None] | None = getattr(node, name, None)
            if isinstance(old, list):
                new, differs = self._list(old)
                if differs:
                    setattr(node, name, new)
                    changed = True
            elif old is not None:
                if type(old) not in self._skipped:
                    new = self.visit(old)
                    if new is not old:
                        setattr(node, name, new)
                        changed = True
                changed = changed or is_changed(old)
        return set_changed(node) if changed else node

    def _list(self, old: Sequence[ast.AST | None]) -> tuple[list[ast.AST | None], bool]:
        new, differs = list[ast.AST | None](), False
        for item in old:
            found = item if item is None or type(item) in self._skipped else self.visit(item)
            differs = differs or found is not item or (item is not None and is_changed(item))
            if isinstance(found, list):
                new += found
            else:
                new.append(found)
        return new, differs


def _all_kinds(kind: type[ast.AST] = ast.AST) -> Iterator[type[ast.AST]]:
    for below in kind.__subclasses__():
        yield below
        yield from _all_kinds(below)
