"""Operators that Monty has for fewer types than Python: `xs += values`, `seen |= other`, `span * 1.5`.

In Python `+=` of a list takes any iterable, and `|=`, `&=`, `-=`, `^=` and `*=` change a set or a list in place, which
other names of it see. Monty makes a new one. What a target is only the run knows: a polyfill decides.
"""

from __future__ import annotations

import ast
from collections import Counter

from toolscript_sandbox.language.analysis import Analysis

from .transform import Context, Transform
from .tree import Transformer, as_target, placed, quoted, quoted_expression

_IN_PLACE: dict[type[ast.operator], str] = {
    ast.Add: 'add',
    ast.Sub: 'subtract',
    ast.Mult: 'multiply',
    ast.BitOr: 'union',
    ast.BitAnd: 'intersect',
    ast.BitXor: 'differ',
}
_SCALING: dict[type[ast.operator], str] = {ast.Mult: 'times', ast.Div: 'divided'}


def _needed(analysis: Analysis) -> bool:
    if 'timedelta' in analysis.words and ast.BinOp in analysis.kinds:
        return True
    plain = _plain_names(analysis) if ast.AugAssign in analysis.kinds else frozenset[str]()
    return any(_may_differ(node, plain, analysis) for node in analysis.all(ast.AugAssign))


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    return _Operators(context).below(tree)


class _Operators(Transformer):
    def __init__(self, context: Context) -> None:
        self._fresh = context.fresh
        self._analysis = context.analysis
        self._has_spans = 'timedelta' in context.analysis.words
        self._plain = _plain_names(context.analysis)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        self.below(node)
        differs = _may_differ(node, self._plain, self._analysis)
        if not differs and not (self._has_spans and type(node.op) in _SCALING):
            return node
        before, target = self._repeatable(node.target)
        old = as_target(target, ast.Load())
        if differs:
            scaled = self._has_spans and isinstance(node.op, ast.Mult)
            template = 'F(X, Y, _datetime__times)' if scaled else 'F(X, Y)'
            function = f'_operators__{_IN_PLACE[type(node.op)]}'
            value = quoted_expression(template, node, F=function, X=old, Y=node.value)
        else:
            value = self._scaled(placed(ast.BinOp(old, node.op, node.value), node))
        return [*before, *quoted('X = VALUE', node, X=target, VALUE=value)]

    def _repeatable(self, target: ast.expr) -> tuple[list[ast.stmt], ast.expr]:
        """Statements that compute the parts of a target once, and the target of these."""
        before = list[ast.stmt]()

        def once(part: ast.expr) -> ast.expr:
            if isinstance(part, (ast.Name, ast.Constant, ast.Slice)):
                return part
            name = self._fresh('part')
            before.extend(quoted('NAME = X', part, NAME=name, X=part))
            return quoted_expression('NAME', part, NAME=name)

        match target:
            case ast.Attribute(value=value):
                return before, placed(ast.Attribute(once(value), target.attr, ast.Store()), target)
            case ast.Subscript(value=value, slice=key):
                return before, placed(ast.Subscript(once(value), once(key), ast.Store()), target)
            case _:
                return before, target

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        return self._scaled(self.below(node))

    def _scaled(self, node: ast.BinOp) -> ast.expr:
        name = _SCALING.get(type(node.op)) if self._has_spans else None
        sides = [side.value for side in (node.left, node.right) if isinstance(side, ast.Constant)]
        if name is None or not all(isinstance(side, float) for side in sides):
            return node
        return quoted_expression('F(A, B)', node, F=f'_datetime__{name}', A=node.left, B=node.right)


def _may_differ(node: ast.AugAssign, plain: frozenset[str], analysis: Analysis) -> bool:
    """Whether the target may be a list or a set, or an object of a class that says what happens in place."""
    if type(node.op) not in _IN_PLACE or (isinstance(node.target, ast.Name) and node.target.id in plain):
        return False
    match node.value:
        case ast.Constant(value=str() | bytes()) | ast.JoinedStr():
            return isinstance(node.op, ast.Add)
        case ast.Constant(value=value) if not (isinstance(node.op, ast.Mult) and isinstance(value, int)):
            return analysis.has('method __iadd__') or any(one.name in _OWN for one in analysis.all(ast.FunctionDef))
        case _:
            return True


_OWN = frozenset(['__iadd__', '__isub__', '__ior__', '__iand__', '__ixor__', '__imul__'])


def _plain_names(analysis: Analysis) -> frozenset[str]:
    """Names that the script binds only to numbers and texts it writes out, and changes with `+=` and the like."""
    values = [(target, node.value) for node in analysis.all(ast.Assign) for target in node.targets]
    written = Counter[str]()
    for target, value in values:
        match target, value:
            case ast.Tuple(elts=parts), ast.Tuple(elts=given) if len(parts) == len(given):
                values += zip(parts, given, strict=True)
            case ast.Name(id=name), ast.Constant() | ast.JoinedStr() | ast.UnaryOp(operand=ast.Constant()):
                written[name] += 1
            case _:
                pass
    changed = Counter(node.target.id for node in analysis.all(ast.AugAssign) if isinstance(node.target, ast.Name))
    stored = Counter(node.id for node in analysis.all(ast.Name) if isinstance(node.ctx, ast.Store))
    arguments = {node.arg for node in analysis.all(ast.arg)}
    return frozenset(
        name for name, count in written.items() if stored[name] == count + changed[name] and name not in arguments
    )


OPERATORS = Transform(
    'assignments with an operator that change a list or a set in place, and fractions of spans of time',
    _apply,
    _needed,
    probe='xs = [1]\nxs += (2,)\ns = {1}\nt = s\ns |= {2}\nassert t == {1, 2}',
)
