"""Methods of builtin types: those that Monty's types lack, and methods as values.

In Monty a method of a builtin type can only be called: `key=d.get`, `map(str.strip, lines)` and `add = seen.add` fail. What
an object is, only the run knows, so each of these asks a polyfill by name; a class of the script has its own methods.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import PurePosixPath

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import CLASS_METHODS, METHODS, MODULES

from .transform import Context, Transform
from .tree import Transformer, meaning, placed, polyfill, quoted_expression, set_changed


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    return _Methods().below(tree)


def _needed(analysis: Analysis) -> bool:
    if not analysis.index.attributes.isdisjoint(_LACKING | _OF_SEVERAL):
        return True
    if any(map(_encodes, analysis.all(ast.Call))):
        return True
    calls = {call.func for call in analysis.all(ast.Call)}
    return any(_is_asked(node) or (node.attr in _KINDS and node not in calls) for node in analysis.all(ast.Attribute))


def _is_asked(node: ast.Attribute) -> bool:
    """Whether a type is asked for a method: `str.lower`, `datetime.fromtimestamp`."""
    whole = meaning(node.value)
    return whole in _TYPES or whole in CLASS_METHODS


class _Methods(Transformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        func = node.func
        if not isinstance(func, ast.Attribute):
            return self.below(node)
        node.func = ast.Constant(None)
        self.below(node)
        node.func = func
        value = self.expression(func.value)
        if value is not func.value:
            func.value = value
            set_changed(func), set_changed(node)
        whole = meaning(func.value)
        if whole is not None:
            return self._of_type(node, func, whole)
        return self._of_object(node, func)

    def _of_type(self, node: ast.Call, func: ast.Attribute, whole: str) -> ast.expr:
        if func.attr in CLASS_METHODS.get(whole, ()):
            node.func = placed(ast.Name(_class_method(whole, func.attr), ast.Load()), func)
            return set_changed(node)
        if whole in _TYPES and hasattr(_TYPES[whole], func.attr) and func.attr not in _OF_THE_TYPE:
            match node.args:
                case [first, *rest] if not isinstance(first, ast.Starred) and not func.attr.startswith('_'):
                    node.func = placed(ast.Attribute(first, func.attr, ast.Load()), func)
                    node.args = rest
                    return self._of_object(set_changed(node), node.func)
                case _:
                    pass
        return node

    def _of_object(self, node: ast.Call, func: ast.Attribute) -> ast.expr:
        name, args = func.attr, node.args
        several = name in _OF_SEVERAL and not node.keywords and (len(args) != 1 or isinstance(args[0], ast.Starred))
        last = name == 'popitem' and (args or node.keywords)
        if not (name in _LACKING or several or last or _encodes(node)):
            return node
        call = quoted_expression('_methods__call(X, NAME)', node, X=func.value, NAME=ast.Constant(name))
        assert isinstance(call, ast.Call)
        call.args += args
        call.keywords += node.keywords
        return call

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.below(node)
        whole, name = meaning(node.value), node.attr
        if not isinstance(node.ctx, ast.Load) or (whole is not None and whole in MODULES):
            return node
        if whole is not None and name in CLASS_METHODS.get(whole, ()):
            return placed(ast.Name(_class_method(whole, name), ast.Load()), node)
        if whole in _TYPES:
            if not hasattr(_TYPES[whole], name) or name in _OF_THE_TYPE or name.startswith('__'):
                return node
            return _caller(node)
        if whole is not None or name not in _KINDS:
            return node
        return quoted_expression(
            '_methods__bound(X, NAME, KINDS, CALL)',
            node,
            X=node.value,
            NAME=ast.Constant(name),
            KINDS=ast.Constant(_KINDS[name]),
            CALL=_caller(node),
        )


def _caller(node: ast.Attribute) -> ast.expr:
    if node.attr in _LACKING:
        return quoted_expression(
            'lambda _o, *_a, **_k: _methods__call(_o, NAME, *_a, **_k)', node, NAME=ast.Constant(node.attr)
        )
    # Most methods of Monty's types refuse even an empty `**`.
    words = node.attr in _WITH_KEYWORDS
    return quoted_expression(
        'lambda _o, *_a, **_k: _o.NAME(*_a, **_k)' if words else 'lambda _o, *_a: _o.NAME(*_a)', node, NAME=node.attr
    )


def _class_method(whole: str, name: str) -> str:
    module, _, kind = whole.rpartition('.')
    return polyfill('methods' if module == 'builtins' else module, f'{kind}_{name}')


def _encodes(node: ast.Call) -> bool:
    """Whether the call may name an encoding that Monty lacks."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in ('encode', 'decode'):
        return False
    return bool(node.args or node.keywords) and not _is_native_encoding(node.args)


def _is_native_encoding(args: list[ast.expr]) -> bool:
    match args:
        case [ast.Constant(value=str(name)), *_]:
            return _NATIVE_ENCODING.fullmatch(name.lower().replace('_', '-')) is not None
        case _:
            return not args


_NATIVE_ENCODING = re.compile(r'utf-?8|ascii|us-ascii|utf-?(16|32)(-?[lb]e)?')
_TYPES: dict[str, type] = {
    **{f'builtins.{kind.__name__}': kind for kind in (str, bytes, int, float, list, tuple, dict, set, frozenset)},
    **{f'datetime.{kind.__name__}': kind for kind in (date, datetime, time, timedelta)},
    **{f'collections.{kind.__name__}': kind for kind in (Counter, OrderedDict, defaultdict, deque)},
    'decimal.Decimal': Decimal,
}
_OF_THE_TYPE = frozenset(
    ['combine', 'fromhex', 'fromisocalendar', 'fromisoformat', 'fromkeys', 'fromordinal', 'fromtimestamp', 'from_bytes']
    + ['from_float', 'maketrans', 'now', 'strptime', 'today', 'utcfromtimestamp', 'utcnow']
)
"""Methods that get no object."""
_LACKING = frozenset(name for names in METHODS.values() for name in names.providers)
_OF_SEVERAL = frozenset(['difference', 'intersection', 'union', 'update'])
"""Methods of sets that take one argument in Monty."""
_WITH_KEYWORDS = frozenset(
    ['encode', 'decode', 'format', 'isoformat', 'sort', 'split', 'rsplit', 'splitlines', 'replace']
)


def _kinds() -> dict[str, str]:
    found = dict[str, list[str]]()
    for kind in (*_TYPES.values(), PurePosixPath):
        for name in dir(kind):
            if not name.startswith('_') and callable(getattr(kind, name)):
                found.setdefault(name, []).append('PosixPath' if kind is PurePosixPath else kind.__name__)
    return {name: ' '.join(kinds) for name, kinds in found.items()}


_KINDS = _kinds()
"""For each method, the builtin types that have it."""

METHODS_OF_TYPES = Transform(
    'methods of builtin types that Monty lacks, and methods as values',
    _apply,
    _needed,
    after=('calls',),
    probe="get = {'a': 1}.get\nget('a')\n(5).bit_length()\nstr.lower('A')",
)
