"""Types that are written as values: `Row = Dict[str, Any]`. Monty has no names of `typing` with parameters.

What such a value is asked for is to stand in annotations, which Monty does not compute; so a type without parameters
takes its place.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.rewriter import Node, Rewriter


def type_aliases(node: Node, r: Rewriter) -> str | None:
    """The plain type in the place of one with parameters."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return None
    module, name = r.scene.member(node.value) or ('', '')
    if module not in ('typing', 'collections.abc') or _is_annotation(node, r):
        return None
    if name not in ('Optional', 'Union'):
        return _PLAIN.get(name, 'object')
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    types = [_member(part, r) for part in parts if not isinstance(part, ast.Constant) or part.value is not None]
    is_optional = name == 'Optional' or len(types) < len(parts)
    return f'({" | ".join([*types, *(["None"] if is_optional else [])])})'


def _member(part: ast.expr, r: Rewriter) -> str:
    # A class that is named in quotes is not known yet.
    return r.text(part) if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp)) else 'object'


def _is_annotation(node: ast.expr, r: Rewriter) -> bool:
    """Whether it stands in an annotation, or among the bases of a class."""
    below: ast.AST = node
    for parent in r.above(node):
        match parent:
            case ast.ClassDef():
                return True
            case ast.arg() | ast.FunctionDef() | ast.AsyncFunctionDef():
                return True
            case ast.AnnAssign(annotation=annotation):
                return annotation is below
            case ast.stmt() | ast.Call():
                return False
            case _:
                below = parent
    return False


_PLAIN = {
    'Dict': 'dict',
    'DefaultDict': 'dict',
    'List': 'list',
    'Set': 'set',
    'FrozenSet': 'frozenset',
    'Tuple': 'tuple',
    'Type': 'type',
}
