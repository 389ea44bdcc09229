"""Methods of builtin types: those that Monty's types lack, and methods as values.

In Monty a method of a builtin type can only be called: `key=d.get`, `map(str.strip, lines)` and `add = seen.add` fail.
Only the run knows what an object is, so each of these asks a polyfill by name; a script's class has its own methods.
"""

from __future__ import annotations

import ast
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import PurePosixPath
from types import BuiltinFunctionType, FunctionType

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import CLASS_METHODS, METHODS, MODULES
from toolscript_sandbox.language.names import polyfill

from .transform import Context, Transform
from .tree import Transformer, is_changed, meaning, placed, quoted_expression, set_changed


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    return _Methods().below(tree)


def _needed(analysis: Analysis) -> bool:
    if not analysis.index.attributes.isdisjoint(_LACKING | _OF_SEVERAL):
        return True
    if any(_encodes(call) or _seeks(call) for call in analysis.all(ast.Call)):
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
        # A method that is called is no value.
        node.func = func.value
        self.below(node)
        func.value, node.func = node.func, func
        if is_changed(func.value):
            set_changed(func)
        whole = meaning(func.value)
        if whole is None:
            return self._of_object(node, func)
        if func.attr in CLASS_METHODS.get(whole, ()):
            node.func = placed(ast.Name(_class_method(whole, func.attr), ast.Load()), func)
            return set_changed(node)
        match node.args:
            case [first, *rest] if _has_method(whole, func.attr) and not isinstance(first, ast.Starred):
                node.func = placed(ast.Attribute(first, func.attr, ast.Load()), func)
                node.args = rest
                return self._of_object(set_changed(node), node.func)
            case [ast.Starred(), *_] if _has_method(whole, func.attr):
                # `set.union(*sets)`
                node.func = _caller(func)
                return set_changed(node)
            case _:
                return node

    def _of_object(self, node: ast.Call, func: ast.Attribute) -> ast.expr:
        name, args = func.attr, node.args
        several = name in _OF_SEVERAL and not node.keywords and (len(args) != 1 or isinstance(args[0], ast.Starred))
        last = name == 'popitem' and (args or node.keywords)
        if not (name in _LACKING or several or last or _encodes(node) or _seeks(node)):
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
        if whole is not None or name not in _KINDS:
            return _caller(node) if whole is not None and _has_method(whole, name) else node
        return quoted_expression(
            '_methods__bound(X, NAME, KINDS, CALL)',
            node,
            X=node.value,
            NAME=ast.Constant(name),
            KINDS=ast.Constant(_KINDS[name]),
            CALL=_caller(node),
        )


def _has_method(whole: str, name: str) -> bool:
    """Whether a builtin type has a method that gets an object first."""
    return hasattr(_TYPES.get(whole), name) and name not in _OF_THE_TYPE and not name.startswith('_')


def _caller(node: ast.Attribute) -> ast.expr:
    """The method as a function, which gets the object first."""
    if node.attr in _LACKING | _OF_SEVERAL:
        name = ast.Constant(node.attr)
        return quoted_expression('lambda _o, *_a, **_k: _methods__call(_o, NAME, *_a, **_k)', node, NAME=name)
    # Most methods of Monty's types refuse even an empty `**`.
    words = node.attr in _WITH_KEYWORDS
    template = 'lambda _o, *_a, **_k: _o.NAME(*_a, **_k)' if words else 'lambda _o, *_a: _o.NAME(*_a)'
    return quoted_expression(template, node, NAME=node.attr)


def _class_method(whole: str, name: str) -> str:
    module, _, kind = whole.rpartition('.')
    return polyfill('methods' if module == 'builtins' else module, f'{kind}_{name}')


def _seeks(node: ast.Call) -> bool:
    """Whether the call may look for an empty text from a place on."""
    match node:
        case ast.Call(func=ast.Attribute(attr='count' | 'find' | 'rfind'), args=[part, _, *_]):
            return not isinstance(part, ast.Constant) or not part.value
        case _:
            return False


def _encodes(node: ast.Call) -> bool:
    """Whether the call may name an encoding that Monty lacks."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in ('encode', 'decode'):
        return False
    match node.args:
        case [ast.Constant(value='utf-8' | 'utf8' | 'ascii'), *_]:
            return False
        case args:
            return bool(args or node.keywords)


_TYPES: dict[str, type] = {
    **{f'builtins.{kind.__name__}': kind for kind in (str, bytes, int, float, list, tuple, dict, set, frozenset)},
    **{f'datetime.{kind.__name__}': kind for kind in (date, datetime, time, timedelta)},
    **{f'collections.{kind.__name__}': kind for kind in (Counter, OrderedDict, defaultdict, deque)},
    'decimal.Decimal': Decimal,
}
_OF_THE_TYPE = frozenset(
    [
        *('combine', 'fromhex', 'fromisocalendar', 'fromisoformat', 'fromkeys', 'fromordinal', 'fromtimestamp'),
        *('from_bytes', 'from_float', 'maketrans', 'now', 'strptime', 'today', 'utcfromtimestamp', 'utcnow'),
    ]
)
"""Methods that get no object."""
_LACKING = frozenset(name for names in METHODS.values() for name in names.providers)
_OF_SEVERAL = frozenset(['difference', 'intersection', 'union', 'update'])
"""Methods of sets that take one argument in Monty."""
_WITH_KEYWORDS = frozenset(
    ['encode', 'decode', 'format', 'isoformat', 'sort', 'split', 'rsplit', 'splitlines', 'replace']
)


def kinds_with(name: str) -> str:
    """The builtin types that have an attribute."""
    kinds = {**_CLASSES, **{kind.__name__: kind for kind in _OTHERS}}
    return ' '.join(kind for kind, one in kinds.items() if hasattr(one, name))


_OTHERS: tuple[type, ...] = (bool, range, type, FunctionType, BuiltinFunctionType)
_CLASSES = {**{kind.__name__: kind for kind in _TYPES.values()}, 'PosixPath': PurePosixPath}
_KINDS = {
    name: ' '.join(kind for kind, one in _CLASSES.items() if hasattr(one, name))
    for name in sorted({name for one in _CLASSES.values() for name in dir(one)})
    if not name.startswith('_') and any(callable(getattr(one, name, None)) for one in _CLASSES.values())
}
"""For each method, the builtin types that have it."""

METHODS_OF_TYPES = Transform(
    'methods of builtin types that Monty lacks, and methods as values',
    _apply,
    _needed,
    after=('calls',),
    probe="get = {'a': 1}.get\nget('a')\n(5).bit_length()\nstr.lower('A')",
)
