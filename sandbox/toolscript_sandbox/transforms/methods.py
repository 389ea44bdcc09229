"""Methods of builtin types, files and paths: those that Monty's objects lack, and methods as values.

In Monty a method of a builtin type can only be called: `key=d.get`, `map(str.strip, lines)` and `add = seen.add` fail.
The type of an object is only known at run time, so a polyfill looks up the method; scripts' classes have their own.
"""

import ast
import csv
import hashlib
import io
import re
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import PurePosixPath
from random import Random
from types import BuiltinFunctionType, CoroutineType, FunctionType

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import CLASS_METHODS, FILES, METHODS, MODULES, PATHS
from toolscript_sandbox.language.files import has_paths
from toolscript_sandbox.language.names import polyfill
from toolscript_sandbox.language.syntax import words

from .transform import Context, Transform
from .tree import call_of, constant, is_changed, is_named, meaning, named, placed, quoted_expression, set_changed


def _is_asked(node: ast.Attribute) -> bool:
    """Return whether the node is a method of a type: `str.lower`, `datetime.fromtimestamp`."""
    whole = meaning(node.value)
    return whole in TYPES or whole in CLASS_METHODS


class Methods(Transform):
    feature = 'methods of builtin types, files and paths that Monty lacks, and methods as values'
    after = ('calls',)

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        attributes = analysis.index.attributes
        if not attributes.isdisjoint({*_LACKING, *_OF_SEVERAL, *_OPERATIONS, *_OF_ERRORS, *_OF_NUMBERS}):
            return True
        if 'builtins.getattr' in analysis.meant:
            return True
        if any(_encodes(call) or _seeks(call, analysis) for call in analysis.all(ast.Call)):
            return True
        if analysis.has_files and ('builtins.open' in analysis.meant or not attributes.isdisjoint(_METHODS_OF_FILES)):
            return True
        if not attributes.isdisjoint(_OF_PATHS) and has_paths(analysis):
            return True
        if 'most_common' in attributes and any(word.arg == 'n' for word in analysis.all(ast.keyword)):
            return True
        calls = {call.func for call in analysis.all(ast.Call)}
        return any(
            _is_asked(node) or (node.attr in _KINDS and node not in calls) for node in analysis.all(ast.Attribute)
        )

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        analysis = context.analysis
        self._calls = dict.fromkeys(_LACKING, '_methods__call')
        """The polyfill that calls each method."""
        self._reads = dict.fromkeys(_OF_ERRORS, '_exceptions__error_part') | dict.fromkeys(
            _OF_NUMBERS, '_methods__part'
        )
        """The polyfill that reads each attribute."""
        if has_paths(analysis):
            self._calls |= dict.fromkeys(PATHS.providers, '_pathlib__call')
            self._reads |= dict.fromkeys(['anchor', 'drive', 'parents', 'root'], '_pathlib__read')
        if analysis.has_files:
            self._calls |= dict.fromkeys(_METHODS_OF_FILES, '_files__call')

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return named('_files__open', node) if self._analysis.has_files and meaning(node) == 'builtins.open' else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        func = node.func
        if not isinstance(func, ast.Attribute):
            return self._getattr(self.below(node))
        # A method that is called is not used as a value.
        node.func = func.value
        self.below(node)
        func.value, node.func = node.func, func
        if is_changed(func.value):
            set_changed(func)
        whole = meaning(func.value)
        if whole is None:
            return self._of_object(node, func)
        if func.attr in CLASS_METHODS.get(whole, ()):
            node.func = named(_class_method(whole, func.attr), func)
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

    def _getattr(self, node: ast.Call) -> ast.expr:
        """Rewrite `getattr` of a method."""
        own = ('_classes__get', '_classes__as_value')
        is_getattr = meaning(node.func) == 'builtins.getattr' or any(is_named(node.func, name) for name in own)
        match node.args:
            case [obj, ast.Constant(value=str(name)) as text, *default] if name in _KINDS and is_getattr:
                caller = _caller(placed(ast.Attribute(obj, name, ast.Load()), node))
                node.args = [obj, text, constant(_KINDS[name], node), caller, node.func, *default]
                node.func = named('_methods__bound', node)
                return set_changed(node)
            case _:
                return node

    def _of_object(self, node: ast.Call, func: ast.Attribute) -> ast.expr:
        name, args = func.attr, node.args
        if _seeks(node, self._analysis):
            seek = 'lambda _o, _part, *_a: _o.NAME(_methods__sought(_o, _part), *_a)'
            node.func, node.args = quoted_expression(seek, func, NAME=name), [func.value, *args]
            return set_changed(node)
        if name == 'most_common' and [word.arg for word in node.keywords] == ['n']:
            node.args, node.keywords = [node.keywords[0].value], []
            return set_changed(node)
        if name in _OPERATIONS:
            node.func = _bound(func)
            return set_changed(node)
        several = name in _OF_SEVERAL and not node.keywords and (len(args) != 1 or isinstance(args[0], ast.Starred))
        last = name == 'popitem' and (args or node.keywords)
        lacking = several or last or _encodes(node)
        function = self._calls.get(name) or ('_methods__call' if lacking else None)
        return node if function is None else call_of(function, node, func.value, constant(name, node))

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.below(node)
        whole, name = meaning(node.value), node.attr
        if not isinstance(node.ctx, ast.Load) or whole in MODULES:
            return node
        if whole is not None and name in CLASS_METHODS.get(whole, ()):
            return named(_class_method(whole, name), node)
        if whole is not None and name in _CLOCKS:
            return quoted_expression('lambda *_a: X.NAME(*_a)', node, X=node.value, NAME=name)
        if whole is not None:
            return self._named(node) if _has_method(whole, name) else node
        if name in self._reads:
            return quoted_expression('F(X, NAME)', node, F=self._reads[name], X=node.value, NAME=constant(name, node))
        return _bound(node) if name in _KINDS else node

    def _named(self, node: ast.Attribute) -> ast.expr:
        """Return the method of a type as a function, with its name if the script reads names of functions."""
        if self._analysis.words.isdisjoint(('__name__', 'getattr')):
            return _caller(node)
        parts = {'F': _caller(node), 'NAME': constant(node.attr, node)}
        return quoted_expression("_classes__with_part(F, '__name__', NAME)", node, **parts)


def _bound(node: ast.Attribute) -> ast.expr:
    """The method of an object as a value."""
    parts = {'X': node.value, 'NAME': constant(node.attr, node), 'KINDS': constant(_KINDS[node.attr], node)}
    return quoted_expression('_methods__bound(X, NAME, KINDS, CALL)', node, **parts, CALL=_caller(node))


def _has_method(whole: str, name: str) -> bool:
    """Return whether a builtin type has a method that takes the object as its first argument."""
    return callable(getattr(TYPES.get(whole), name, None)) and name not in _OF_THE_TYPE and not name.startswith('_')


def _caller(node: ast.Attribute) -> ast.expr:
    """Return the method as a function that takes the object as its first argument."""
    if node.attr in _OPERATIONS:
        template = _OPERATIONS[node.attr]
    elif node.attr in _LACKING | _OF_SEVERAL:
        template = 'lambda _o, *_a, **_k: _methods__call(_o, TEXT, *_a, **_k)'
    elif node.attr in _WITH_KEYWORDS:
        template = 'lambda _o, *_a, **_k: _o.NAME(*_a, **_k)'
    else:
        # Most methods of Monty's types refuse even an empty `**`.
        template = 'lambda _o, *_a: _o.NAME(*_a)'
    return quoted_expression(template, node, NAME=node.attr, TEXT=constant(node.attr, node))


def _class_method(whole: str, name: str) -> str:
    module, _, kind = whole.rpartition('.')
    return polyfill('methods' if module == 'builtins' else module, f'{kind}_{name}')


def _encodes(node: ast.Call) -> bool:
    """Return whether the call may use an encoding that Monty lacks."""
    match node:
        case ast.Call(args=[ast.Constant(value='utf-8' | 'utf8' | 'ascii'), *_]):
            return False
        case ast.Call(func=ast.Attribute(attr='encode' | 'decode')):
            return bool(node.args or node.keywords)
        case _:
            return False


def _seeks(node: ast.Call, analysis: Analysis) -> bool:
    """Return whether the call may look for a number in bytes."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name), args=[value, *_], keywords=[]) if name in _SEARCHES:
            is_text = isinstance(value, ast.Constant) and isinstance(value.value, str)
            return not is_text and _BYTES.search(analysis.text) is not None
        case _:
            return False


_SEARCHES = words('count find index rfind rindex')
_BYTES = re.compile(r"""\bb['"]|bytes|encode|decode|digest|hexlify""")
"""What scripts make bytes with."""
TYPES: dict[str, type] = {
    **{f'builtins.{kind.__name__}': kind for kind in (str, bytes, int, float, list, tuple, dict, set, frozenset)},
    **{f'datetime.{kind.__name__}': kind for kind in (date, datetime, time, timedelta)},
    **{f'collections.{kind.__name__}': kind for kind in (Counter, OrderedDict, defaultdict, deque)},
    'decimal.Decimal': Decimal,
}
_OF_THE_TYPE = words(
    'combine fromhex fromisocalendar fromisoformat fromkeys fromordinal fromtimestamp from_bytes from_float '
    'maketrans now strptime today utcfromtimestamp utcnow'
)
"""Static methods and class methods."""
_CLOCKS = frozenset(['now', 'today', 'utcnow'])
"""Class methods that Monty has only where they are called."""
_LACKING = frozenset(name for names in METHODS.values() for name in names.providers)
_OF_SEVERAL = frozenset(['difference', 'intersection', 'union', 'update'])
"""Methods of sets that take only one argument in Monty."""
_WITH_KEYWORDS = words('encode decode format isoformat sort split rsplit splitlines replace choices sample')


def kinds_with(name: str) -> str:
    """Return the builtin types whose objects have an attribute."""
    kinds = {**_CLASSES, **{kind.__name__: kind for kind in _OTHERS}}
    return ' '.join(kind for kind, one in kinds.items() if any(name in vars(base) for base in one.__mro__))


_OTHERS: tuple[type, ...] = (bool, range, type, FunctionType, BuiltinFunctionType, CoroutineType)
_CLASSES: dict[str, type] = {
    **{kind.__name__: kind for kind in TYPES.values()},
    'PosixPath': PurePosixPath,
    'Random': Random,
    'HASH': type(hashlib.md5()),
    'DictWriter': csv.DictWriter,
    'writer': type(csv.writer(io.StringIO())),
}
_OPERATIONS = {
    '__getitem__': 'lambda _o, _k: _o[_k]',
    '__contains__': 'lambda _o, _k: _k in _o',
    '__next__': 'lambda _o: next(_o)',
}
_KINDS = {
    name: ' '.join(kind for kind, one in _CLASSES.items() if callable(getattr(one, name, None)))
    for name in sorted({name for one in _CLASSES.values() for name in dir(one)})
    if (name in _OPERATIONS or not name.startswith('_'))
    and any(callable(getattr(one, name, None)) for one in _CLASSES.values())
} | {'__next__': '*'}
"""For each method, the builtin types that have it; `*` are all that lack it in Monty."""
_METHODS_OF_FILES = [
    name
    for kind in ('pathlib.Path', 'open files')
    for name, provider in FILES[kind].providers.items()
    if provider == 'polyfill'
]
_OF_ERRORS = ['errno', 'strerror', 'filename']
_OF_NUMBERS = ['real', 'imag', 'numerator', 'denominator']
_OF_PATHS = frozenset([*PATHS.providers, 'anchor', 'drive', 'parents', 'root'])
