"""Rules for attributes that Monty's objects do not show.

Stands in for `__class__`, `__name__`, `__mro__` and the parts of numbers (`n.real`), and answers `'x' in globals()`.
Monty's exceptions know of no context: that is refused.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.classes.kinds import is_own_class, seen
from toolscript_sandbox.lowering.classes.variables import kept_variables, variables
from toolscript_sandbox.lowering.parts import is_builtin, piece
from toolscript_sandbox.lowering.rewriter import Rewriter, named
from toolscript_sandbox.lowering.special_classes.shown_classes import class_of, name_of_method
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.syntax import all_of


def _read(node: ast.Attribute, r: Rewriter) -> str | None:
    attr, value = node.attr, node.value
    if not isinstance(node.ctx, ast.Load) or r.scene.module(value) is not None:
        return None
    if attr in _UNSEEN:
        raise Refused([refusal(node, _UNSEEN[attr])])
    if attr == '__class__':
        return class_of(value, r)
    if attr in ('__name__', '__qualname__'):
        return name_of_method(node, r) or f'{piece(r, "builtins", "name_of")}({r.text(value)})'
    parent = r.parent(node)
    if attr in OF_NUMBERS - _own(r) and not (isinstance(parent, ast.Call) and parent.func is node):
        return f'{piece(r, "builtins", "part_of")}({r.text(value)}, {attr!r})'
    if attr in ('__mro__', '__bases__', '__subclasses__'):
        if not is_own_class(value, r):
            said = f'There is no {attr} here but of classes of the script, by name. Ask with isinstance or issubclass.'
            raise Refused([refusal(node, said)])
        if 'ABC' in r.scene.names.used | r.scene.names.bound or 'Generic' in r.scene.names.used:
            raise Refused([refusal(node, 'ABC and Generic are not in it here. Ask with isinstance or issubclass.')])
        return seen(node, r)
    if attr == '__dict__':
        return variables(node, value, r)
    return None


def _own(r: Rewriter) -> frozenset[str]:
    """Names that objects of the snippet have: theirs are read as fast as Monty reads them."""
    tree = r.source.tree
    return r.once(
        'own attributes',
        lambda: [
            *(node.attr for node in all_of(tree, ast.Attribute) if isinstance(node.ctx, ast.Store)),
            *(node.target.id for node in all_of(tree, ast.AnnAssign) if isinstance(node.target, ast.Name)),
        ],
    )


def _called(node: ast.Call, r: Rewriter) -> str | None:
    """`vars(x)`, and what changes what that gives."""
    if len(node.args) == 1 and is_builtin(node, 'vars', r):
        return variables(node, node.args[0], r)
    return kept_variables(node, r) or _tells(node, r)


def _tells(node: ast.Call, r: Rewriter) -> None:
    if _tells_names(node, r):
        raise Refused([refusal(node, _NAMES)])


def _tells_names(node: ast.expr, r: Rewriter) -> bool:
    """Whether it is `globals()`, or `locals()` or `dir()` of the top level."""
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return False
    return any(is_builtin(node, name, r) for name in ('globals', 'locals', 'dir', 'vars'))


def is_set(node: ast.Compare, r: Rewriter) -> str | None:
    """`'total' in globals()`."""
    match node:
        case ast.Compare(left=ast.Constant(value=str(name)), ops=[ast.In() | ast.NotIn() as word], comparators=[names]):
            return _is_set(name, names, isinstance(word, ast.NotIn), r)
        case _:
            return None


def told_by_name(node: ast.Subscript, r: Rewriter) -> str | None:
    """`globals()['total']`."""
    match node:
        case ast.Subscript(value=names, slice=ast.Constant(value=str(name)), ctx=ast.Load()):
            return name if _tells_names(names, r) and _is_at_top(name, names, r) else None
        case _:
            return None


def _is_set(name: str, names: ast.expr, negated: bool, r: Rewriter) -> str | None:
    if not _tells_names(names, r) or not name.isidentifier():
        return None
    if not r.at_top(names) and not is_builtin(names, 'globals', r):
        return None
    found = f'{piece(r, "builtins", "is_set")}(lambda: {name})' if _is_at_top(name, names, r) else 'False'
    return f'(not {found})' if negated else found


def _is_at_top(name: str, names: ast.expr, r: Rewriter) -> bool:
    """Whether the top level may have the name, and it means that where it is asked for."""
    hidden = r.scene.scopes.around(names).owner(name) not in (None, r.scene.scopes.module)
    known = name in r.scene.scopes.module.bound or name in r.scene.known or r.scene.functions.get(name) is not None
    return known and not hidden and name.isidentifier()


OF_NUMBERS = frozenset(['real', 'imag', 'numerator', 'denominator', 'start', 'stop', 'step'])
"""Attributes of numbers and ranges."""
_NAMES = (
    'A list of all names cannot be had here. Ask for one (`"total" in globals()`), or keep what you need in a dict.'
)
_UNSEEN = {
    '__context__': 'What an exception was raised after is not kept here. Keep the first one in a variable.',
    '__suppress_context__': 'What an exception was raised after is not kept here. Ask for its __cause__.',
    '__traceback__': 'Tracebacks are not kept here. Use the text of the exception.',
    **dict.fromkeys(
        ['__closure__', '__code__', '__defaults__', '__globals__', '__kwdefaults__'],
        'What a function is made of cannot be seen here. Keep what you need of it in a variable.',
    ),
    '__doc__': 'Docstrings are not kept here. Keep the text in a variable.',
}
"""Attributes that Monty's objects lack, and what to write instead."""
_OF_CLASSES = ('__class__', '__name__', '__qualname__', '__mro__', '__bases__', '__subclasses__', '__dict__')
READ_ATTRIBUTES = (named(_read, *_UNSEEN, *OF_NUMBERS, *_OF_CLASSES),)
CALLS_FOR_ATTRIBUTES = (named(_called, 'vars', 'globals', 'locals', 'dir', 'update', 'setattr'),)
