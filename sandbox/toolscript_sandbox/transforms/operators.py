"""Operators that Monty has for fewer types than Python: `xs += values`, `seen |= other`, `span * 1.5`.

In Python `+=` of a list takes any iterable, and `|=`, `&=`, `-=`, `^=` and `*=` change a set or a list in place, which other names of
it see. Monty makes a new one. What a target is only the run knows: a polyfill decides.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.language.analysis import Analysis

from .transform import Context, Transform
from .tree import Transformer, as_target, placed, quoted, quoted_expression

_IN_PLACE = {
    ast.Add: 'add',
    ast.Sub: 'subtract',
    ast.Mult: 'multiply',
    ast.BitOr: 'union',
    ast.BitAnd: 'intersect',
    ast.BitXor: 'differ',
}


def _needed(analysis: Analysis) -> bool:
    if any(type(node.op) in _IN_PLACE and _may_differ(node, analysis) for node in analysis.all(ast.AugAssign)):
        return True
    return 'timedelta' in analysis.words and ast.BinOp in analysis.kinds


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    return _Operators(context).below(tree)


class _Operators(Transformer):
    def __init__(self, context: Context) -> None:
        analysis = context.analysis
        self._fresh = context.fresh
        self._has_spans = 'timedelta' in analysis.words
        self._numbers = _numbers(analysis)
        self._analysis = analysis

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        self.below(node)
        function = _IN_PLACE.get(type(node.op))
        if (
            function is None
            or not _may_differ(node, self._analysis)
            or (isinstance(node.target, ast.Name) and node.target.id in self._numbers)
        ):
            return self._with_span(node)
        before, target = self._repeatable(node.target)
        value = quoted_expression(
            'F(X, Y)', node, F=f'_operators__{function}', X=as_target(target, ast.Load()), Y=node.value
        )
        return [*before, *quoted('X = VALUE', node, X=target, VALUE=value)]

    def _with_span(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        if not self._has_spans or not isinstance(node.op, (ast.Mult, ast.Div)):
            return node
        before, target = self._repeatable(node.target)
        value = self._scaled(placed(ast.BinOp(as_target(target, ast.Load()), node.op, node.value), node))
        return [*before, *quoted('X = VALUE', node, X=target, VALUE=value)]

    def _repeatable(self, target: ast.expr) -> tuple[list[ast.stmt], ast.expr]:
        """Statements that compute the parts of a target once, and the target of these."""
        before = list[ast.stmt]()

        def once(part: ast.expr) -> ast.expr:
            if isinstance(part, (ast.Name, ast.Constant)):
                return part
            name = self._fresh('part')
            before.extend(quoted('NAME = X', part, NAME=name, X=part))
            return quoted_expression('NAME', part, NAME=name)

        match target:
            case ast.Attribute(value=value):
                return before, placed(ast.Attribute(once(value), target.attr, ast.Store()), target)
            case ast.Subscript(value=value, slice=ast.Slice()):
                return before, target
            case ast.Subscript(value=value, slice=key):
                return before, placed(ast.Subscript(once(value), once(key), ast.Store()), target)
            case _:
                return before, target

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        node = self.below(node)
        return self._scaled(node) if self._has_spans else node

    def _scaled(self, node: ast.BinOp) -> ast.expr:
        name = 'times' if isinstance(node.op, ast.Mult) else 'divided' if isinstance(node.op, ast.Div) else None
        if name is None or any(
            isinstance(side, ast.Constant) and not isinstance(side.value, float) for side in (node.left, node.right)
        ):
            return node
        return quoted_expression('F(A, B)', node, F=f'_datetime__{name}', A=node.left, B=node.right)


def _may_differ(node: ast.AugAssign, analysis: Analysis) -> bool:
    """Whether the target may be a list that is repeated, or an object of a class that says what happens in place."""
    if not _is_plain(node.value):
        return True
    if isinstance(node.op, ast.Mult):
        return not isinstance(node.value, ast.Constant) or isinstance(node.value.value, int)
    return any(one.name in _OWN for one in analysis.all(ast.FunctionDef)) or analysis.has('method __iadd__')


_OWN = frozenset(['__iadd__', '__isub__', '__ior__', '__iand__', '__ixor__'])


def _numbers(analysis: Analysis) -> frozenset[str]:
    """Names that the script binds only to numbers and texts it writes out, and changes with `+=` and the like."""
    values = dict[str, bool]()
    for node in analysis.all(ast.Assign):
        for target in node.targets:
            for name, value in _bound(target, node.value):
                values[name] = values.get(name, True) and value is not None and _is_plain(value)
    plain = {name for name, is_plain in values.items() if is_plain}
    others = {node.arg for node in analysis.all(ast.arg)}
    for kind in (ast.For, ast.AsyncFor, ast.comprehension):
        others |= {
            part.id for node in analysis.all(kind) for part in ast.walk(node.target) if isinstance(part, ast.Name)
        }
    return frozenset(plain - others)


def _bound(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    match target, value:
        case ast.Name(id=name), _:
            yield name, value
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            for part, given in zip(targets, values, strict=True):
                yield from _bound(part, given)
        case _:
            for part in ast.walk(target):
                if isinstance(part, ast.Name):
                    yield part.id, None


def _is_plain(value: ast.expr) -> bool:
    """Whether the value is a number, a text, or a list that is written out, which Monty adds as Python does."""
    match value:
        case ast.Constant() | ast.JoinedStr():
            return True
        case ast.UnaryOp(operand=operand):
            return _is_plain(operand)
        case ast.BinOp(left=left, right=right):
            return _is_plain(left) or _is_plain(right)
        case _:
            return False


OPERATORS = Transform(
    'assignments with an operator that change a list or a set in place, and fractions of spans of time',
    _apply,
    _needed,
    probe='xs = [1]\nxs += (2,)\ns = {1}\nt = s\ns |= {2}\nassert t == {1, 2}',
)
