"""`@show.register` of `functools.singledispatch`: the classes in the annotation, or in a union, are given to it."""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.rewriter import Node, Rewriter
from toolscript_sandbox.text.syntax import all_of


def registered(node: Node, r: Rewriter) -> str | None:
    """The decorator with the class of the first parameter."""
    if not isinstance(node, ast.Attribute) or node.attr != 'register':
        return None
    function = r.parent(node)
    if not isinstance(function, ast.FunctionDef) or node not in function.decorator_list or not _dispatches(r):
        return None
    first = [*function.args.posonlyargs, *function.args.args][:1]
    annotation = first[0].annotation if first else None
    return None if annotation is None else f'{r.inside(node)}({_classes(annotation, r)})'


def registered_union(node: Node, r: Rewriter) -> str | None:
    """`@show.register(int | float)`, with a tuple of the classes."""
    if not isinstance(node, ast.Call) or not node.args or not _is_union(node.args[0]) or not _dispatches(r):
        return None
    rest = ''.join(f', {r.text(part)}' for part in node.args[1:])
    return f'{r.text(node.func)}({_classes(node.args[0], r)}{rest})'


def _is_union(kind: ast.expr) -> bool:
    match kind:
        case ast.BinOp(op=ast.BitOr()):
            return True
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in _UNIONS
        case _:
            return False


def _dispatches(r: Rewriter) -> bool:
    names = r.once('singledispatch', lambda: r.scene.scopes.imported & {'singledispatch', 'functools'})
    aliased = any(
        alias.name == 'singledispatch' for node in all_of(r.source.tree, ast.ImportFrom) for alias in node.names
    )
    return bool(names) or aliased or 'singledispatch' in r.scene.known


def _classes(annotation: ast.expr, r: Rewriter) -> str:
    match annotation:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return f'({_classes(left, r)}, {_classes(right, r)})'
        case ast.Constant(value=None):
            return 'type(None)'
        case ast.Constant(value=str(text)):
            return text
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inside) if name in _UNIONS:
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            kinds = [*(_classes(part, r) for part in parts), *(['type(None)'] if name == 'Optional' else [])]
            return f'({", ".join(kinds)},)'
        case ast.Subscript(value=value):
            return r.text(value)
        case _:
            return r.text(annotation)


_UNIONS = frozenset(['Union', 'Optional'])
