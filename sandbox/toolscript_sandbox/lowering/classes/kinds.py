"""Rules for what asks for classes: `isinstance` and its kin, as Monty's classes stand alone and know of no bases."""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.class_features import CLASS_OF_SELF, ENUMERATIONS
from toolscript_sandbox.lowering.parts import is_builtin, native, piece
from toolscript_sandbox.lowering.rewriter import Node, Rewriter, named
from toolscript_sandbox.text.syntax import all_of, walk


def seen(node: ast.Attribute, r: Rewriter) -> str | None:
    """`Shape.__mro__`, `Shape.__bases__` and `Shape.__subclasses__`."""
    name = _SEEN.get(node.attr)
    return f'{piece(r, "members", name)}({r.text(node.value)})' if name is not None else None


def is_own_class(value: ast.expr, r: Rewriter) -> bool:
    """Whether it is a class of the snippet by its name, or that of whom a method is called for."""
    names = r.once('classes', lambda: [one.name for one in all_of(r.source.tree, ast.ClassDef)])
    return ast.unparse(value) in {*names, *(CLASS_OF_SELF if names else ())}


def unparametrized(node: Node, r: Rewriter) -> str | None:
    """`Stack[int]()`, where `Stack` inherits from `Generic[T]`."""
    match node:
        case ast.Subscript(value=ast.Name(id=name) as value, ctx=ast.Load()) if 'Generic' in r.scene.names.used:
            classes = r.once('classes', lambda: [one.name for one in all_of(r.source.tree, ast.ClassDef)])
            return r.text(value) if name in classes else None
        case _:
            return None


def _asked(node: ast.Call, r: Rewriter) -> str | None:
    """`isinstance(shape, Shape)` and `issubclass(Circle, Shape)`."""
    if len(node.args) != 2 or node.keywords:
        return None
    first, kinds = node.args
    name = next((name for name in _ASKED if is_builtin(node, name, r)), None)
    has_family = not r.scene.kin.keys().isdisjoint([ENUMERATIONS, LINES])
    asks = any(_by_kind(part, r) or (name == 'isinstance' and _by_methods(part, r)) for part in walk(kinds))
    asks = asks or (name == 'issubclass' and isinstance(kinds, ast.BinOp))
    if not has_family and not asks:
        return None
    if name is None or isinstance(first, ast.Starred):
        return None
    return f'{piece(r, "members", _ASKED[name])}({r.text(first)}, {_tuple(kinds, r)})'


def _tuple(kinds: ast.expr, r: Rewriter) -> str:
    match kinds:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return f'({_tuple(left, r)}, {_tuple(right, r)})'
        case ast.Constant(value=None):
            return f'{native(r, "type")}(None)'
        case ast.Tuple(elts=parts):
            # None is a kind beside `|`, and an error between commas.
            texts = [r.text(part) if isinstance(part, ast.Constant) else _tuple(part, r) for part in parts]
            return f'({"".join(f"{text}, " for text in texts)})'
        case _:
            return _by_methods(kinds, r) or r.text(kinds)


def _by_kind(node: ast.AST, r: Rewriter) -> bool:
    """`numbers.Number` and `types.FunctionType`, which are no types here."""
    member = r.scene.member(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
    return member is not None and (member[0] == 'numbers' or member in _OF_FUNCTIONS)


def _by_methods(node: ast.AST, r: Rewriter) -> str | None:
    """`type`, and `Iterable` and its kin: Monty's types that are such, and whatever has the methods."""
    if isinstance(node, ast.Name) and node.id == 'type' and r.scene.is_free(node):
        # Of enumerations, which are objects of the guest's, nobody could say so.
        return None if ENUMERATIONS in r.scene.kin else piece(r, 'types', 'having_type')
    module, name = (r.scene.member(node) if isinstance(node, (ast.Name, ast.Attribute)) else None) or ('', '')
    if module not in ('collections.abc', 'typing') or name not in _HAVING:
        return None
    return piece(r, 'collections.abc', f'having_{name}')


LINES = 'class.line'
"""Among the kin of a session: that it has classes that inherit, or protocols."""
_ASKED = {'isinstance': 'is_a', 'issubclass': 'is_below'}
_WORDS = (
    'AsyncGenerator AsyncIterable AsyncIterator Awaitable Callable Collection Container Coroutine Generator Hashable '
    'Iterable Iterator Mapping MutableMapping Reversible Sized'
)
_HAVING = frozenset(_WORDS.split())
_OF_FUNCTIONS = {('types', f'{name}Type') for name in ('Function', 'Lambda', 'BuiltinFunction', 'Generator')}
_SEEN = {'__mro__': 'line_of', '__bases__': 'bases_of', '__subclasses__': 'heirs_of'}
KIND_RULES = (named(_asked, *_ASKED),)
