"""Moments in time zones with varying offsets: Monty only supports fixed offsets.

In scripts that name `zoneinfo`, and in later ones of the session, operations that depend on the zone call a polyfill.
Zones with a literal name are loaded first, because a key function cannot wait for the host.
"""

import ast
import re

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.names import polyfill
from toolscript_sandbox.language.refusals import Refused, refusal

from .transform import Transform
from .tree import as_target, call_of, is_named, meaning, placed, quoted, quoted_expression, set_changed

FACT = 'zones'
_FIELD = re.compile(r'\{[^{}]*%Z')
"""A field of a template that shows the name of a zone."""


class Zones(Transform):
    feature = 'moments in zones of time'

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        return analysis.has(FACT) or analysis.means_module('zoneinfo')

    def applied(self, tree: ast.Module) -> ast.Module:
        self._context.facts.add(FACT)
        calls = self._analysis.all(ast.Call)
        keys = [node.args[0] for node in calls if meaning(node.func) == 'zoneinfo.ZoneInfo' and node.args]
        tree = self.below(tree)
        literal = {key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
        if literal:
            keys = [ast.Constant(key) for key in sorted(literal)]
            tree.body[:0] = quoted('_zoneinfo__load(*KEYS)', tree.body[0], KEYS=keys)
            set_changed(tree)
        return tree

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.below(node)
        func, dotted = node.func, meaning(node.func)
        words = [word.arg for word in node.keywords]
        if dotted == 'datetime.time' and ('tzinfo' in words or len(node.args) > _TIME_PARTS):
            self._refuse(node, 'A time of day has no zone here. Use datetime.combine(day, time, tzinfo=zone).')
        if getattr(func, 'attr', '') == 'format' and any(
            _FIELD.search(str(text.value)) for text in self._analysis.all(ast.Constant)
        ):
            self._refuse(node, 'A template does not know names of zones here. Write an f-string.')
        if dotted == 'datetime.datetime' and ('tzinfo' in words or len(node.args) > _DATETIME_PARTS):
            return call_of('_zoneinfo__made', node)
        if dotted == 'builtins.format' or is_named(func, '_classes__formatted'):
            node.args[0] = quoted_expression('_zoneinfo__with_plain_name(X)', node, X=node.args[0])
            return set_changed(node)
        match func:
            case ast.Attribute(value=obj, attr=name) if name in _METHODS:
                is_asked = meaning(obj) in (None, 'datetime.datetime')
                return call_of(polyfill('zoneinfo', _METHODS[name]), node, obj) if is_asked else node
            case _:
                return node

    def _refuse(self, node: ast.expr, text: str) -> None:
        raise Refused([refusal(node, text)])

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.below(node)
        if not isinstance(node.ctx, ast.Load) or meaning(node.value):
            return node
        return quoted_expression('_zoneinfo__tzinfo_of(X)', node, X=node.value) if node.attr == 'tzinfo' else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.below(node)
        name = _OPERATORS.get(type(node.op))
        if name is None or isinstance(node.left, _PLAIN) or isinstance(node.right, _PLAIN):
            return node
        return quoted_expression('F(A, B)', node, F=polyfill('zoneinfo', name), A=node.left, B=node.right)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        self.below(node)
        if not isinstance(node.target, ast.Name):
            return node
        value = self.visit_BinOp(placed(ast.BinOp(as_target(node.target, ast.Load()), node.op, node.value), node))
        return node if isinstance(value, ast.BinOp) else quoted('X = VALUE', node, X=node.target.id, VALUE=value)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        self.below(node)
        if node.format_spec is None:
            return node
        node.value = quoted_expression('_zoneinfo__with_plain_name(X)', node, X=node.value)
        return set_changed(node)


_OPERATORS: dict[type[ast.operator], str] = {ast.Add: 'plus', ast.Sub: 'minus'}
_PLAIN = (ast.Constant, ast.JoinedStr, ast.List, ast.Tuple)
_TIME_PARTS, _DATETIME_PARTS = 4, 7
_METHODS = {
    'astimezone': 'astimezone',
    'combine': 'combine',
    'dst': 'dst_of',
    'fromtimestamp': 'fromtimestamp',
    'now': 'now',
    'replace': 'replace',
    'strftime': 'strftime',
    'tzname': 'name_of',
}
