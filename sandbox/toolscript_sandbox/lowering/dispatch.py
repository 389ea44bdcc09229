"""`@show.register` of `functools.singledispatch`: the class that stands in the annotation is given to it."""

from __future__ import annotations

import ast

from toolscript_sandbox.text.syntax import all_of

from .rewriter import Node, Rewriter


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
        case ast.Subscript(value=value):
            return r.text(value)
        case _:
            return r.text(annotation)
