"""Augmented assignments and `del`, where Monty supports less than Python: `xs += values`, `seen |= other`, `del x`.

In Python `+=` of a list takes any iterable, and `|=`, `&=`, `-=`, `^=` and `*=` change a set or a list in place, which
is visible through its other names. Monty creates a new one. The type of a target is only known at run time, so a
polyfill decides. A `timedelta` can be scaled by a fraction.
"""

import ast
from collections import Counter

from toolscript_sandbox.language.analysis import Analysis

from .transform import Context, Transform
from .tree import as_target, constant, named, placed, quoted, quoted_expression, repeatable

IN_PLACE: dict[type[ast.operator], str] = {
    ast.Add: '__iadd__',
    ast.Sub: '__isub__',
    ast.Mult: '__imul__',
    ast.BitOr: '__ior__',
    ast.BitAnd: '__iand__',
    ast.BitXor: '__ixor__',
}
"""The methods of assignments with an operator; the polyfills of builtin types have the same names."""
_SCALING: dict[type[ast.operator], str] = {ast.Mult: 'times', ast.Div: 'divided'}


class Assignments(Transform):
    feature = 'assignments with an operator that change lists and sets in place, fractions of spans of time, and `del`'

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        if 'timedelta' in analysis.words and ast.BinOp in analysis.kinds:
            return True
        if ast.AugAssign not in analysis.kinds or ast.Delete in analysis.kinds:
            return ast.Delete in analysis.kinds
        methods = IN_PLACE.values()
        if analysis.has(*(f'method {name}' for name in methods)) or not analysis.sync_functions.isdisjoint(methods):
            return True
        plain = _plain_names(analysis)
        return any(_may_differ(node, plain) for node in analysis.all(ast.AugAssign))

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._has_spans = 'timedelta' in self._analysis.words
        self._plain = _plain_names(self._analysis)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        self.below(node)
        name = IN_PLACE.get(type(node.op), '')
        own = self._context.has(f'method {name}')
        differs = own or _may_differ(node, self._plain)
        if not differs and not (self._has_spans and type(node.op) in _SCALING):
            return node
        before, target = repeatable(node.target, self._fresh)
        old = as_target(target, ast.Load())
        if differs:
            scaled = self._has_spans and isinstance(node.op, ast.Mult)
            rest = [named('_datetime__times', node)] if scaled else []
            template = '_operators__in_place(X, Y, NAME, F, *REST)' if own else 'F(X, Y, *REST)'
            function = f'_operators__{name.strip("_")}'
            parts = {'F': function, 'X': old, 'Y': node.value, 'NAME': constant(name, node), 'REST': rest}
            value = quoted_expression(template, node, **parts)
        else:
            value = self._scaled(placed(ast.BinOp(old, node.op, node.value), node))
        return [*before, *quoted('X = VALUE', node, X=target, VALUE=value)]

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        return self._scaled(self.below(node))

    def _scaled(self, node: ast.BinOp) -> ast.expr:
        name = _SCALING.get(type(node.op)) if self._has_spans else None
        sides = [side.value for side in (node.left, node.right) if isinstance(side, ast.Constant)]
        if name is None or not all(isinstance(side, float) for side in sides):
            return node
        return quoted_expression('F(A, B)', node, F=f'_datetime__{name}', A=node.left, B=node.right)

    def visit_Delete(self, node: ast.Delete) -> ast.AST | list[ast.stmt]:
        self.below(node)
        return [statement for target in node.targets for statement in self._deleted(target, node)]

    def _deleted(self, target: ast.expr, node: ast.Delete) -> list[ast.stmt]:
        match target:
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return [statement for part in parts for statement in self._deleted(part, node)]
            case ast.Name(id=name):
                # The name of a caught error is unbound after its handler; the first line fails if it is not bound.
                return quoted('NAME\ntry: raise KeyError\nexcept KeyError as NAME: pass', node, NAME=name)
            case ast.Subscript(value=value, slice=key):
                if isinstance(key, ast.Slice):
                    ends = [end or constant(None, node) for end in (key.lower, key.upper, key.step)]
                    key = quoted_expression('_natives__slice(*ENDS)', node, ENDS=ends)
                return quoted('_operators__delete(X, KEY)', node, X=as_target(value, ast.Load()), KEY=key)
            case _:
                raise NotImplementedError(type(target).__name__)


def _may_differ(node: ast.AugAssign, plain: frozenset[str]) -> bool:
    """Return whether the target may be a list or a set."""
    if type(node.op) not in IN_PLACE or (isinstance(node.target, ast.Name) and node.target.id in plain):
        return False
    match node.value:
        case ast.Constant(value=str() | bytes()) | ast.JoinedStr():
            return isinstance(node.op, ast.Add)
        case ast.Constant(value=value) if not (isinstance(node.op, ast.Mult) and isinstance(value, int)):
            return False
        case _:
            return True


def _plain_names(analysis: Analysis) -> frozenset[str]:
    """Return the names that the script only binds to literal numbers and texts, or changes with `+=` and the like."""
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
