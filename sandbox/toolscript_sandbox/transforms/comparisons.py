"""Comparison, truth and length methods of scripts' classes, which Monty does not call; and keys that wait.

`a < b`, `sorted(...)`, `if a` and `len(a)` call polyfills in scripts and sessions that have a class with one of these
methods. A polyfill first tries Monty's operation, so other values cost one extra call. Its `sorted`, `min` and `max`
call keys where the script can wait, which Monty's cannot (`language/waiting.py`).
"""

import ast

from toolscript_sandbox.language.analysis import Analysis, set_meaning
from toolscript_sandbox.language.names import polyfill
from toolscript_sandbox.language.syntax import words
from toolscript_sandbox.language.waiting import keyed, waiting_of

from .transform import Context, Renaming, Transform
from .tree import call_of, meaning, named, placed, quoted_expression, set_changed

_ORDER = frozenset(['__lt__', '__le__', '__gt__', '__ge__'])
_UNEQUAL = frozenset(['__ne__'])
_TRUTH = frozenset(['__bool__', '__len__'])
_ORDERED_BY_OTHERS = words('cmp_to_key Fraction fractions IntEnum IntFlag StrEnum Path pathlib PurePath UUID')
"""Words that refer to classes with their own order."""
_DATA = words('int str', of='builtins')
"""Types whose values enumerations may have."""
_SIZED_BY_OTHERS = words(
    'Fraction ChainMap Enum IntEnum StrEnum Flag IntFlag bytearray urlparse urlsplit configparser ElementTree'
)
"""Words that refer to classes with their own length or truth value."""


def _has(analysis: Analysis, methods: frozenset[str], words: frozenset[str]) -> bool:
    """Return whether a class of the session has one of the methods."""
    if analysis.has(*(f'method {name}' for name in methods)) or not analysis.words.isdisjoint(words):
        return True
    if '__lt__' in methods and any(word.arg == 'order' for word in analysis.all(ast.keyword)):
        return True
    if '__lt__' in methods and any(
        meaning(base) in _DATA for node in analysis.all(ast.ClassDef) for base in node.bases
    ):
        return True
    return not analysis.sync_functions.isdisjoint(methods)


def _orders(analysis: Analysis) -> bool:
    """Return whether the script may compare what Monty cannot: objects, or views, as in `a.keys() <= b.keys()`."""
    return _has(analysis, _ORDER, _ORDERED_BY_OTHERS) or any(
        isinstance(side, ast.Call) and isinstance(side.func, ast.Attribute) and side.func.attr in ('keys', 'items')
        for node in analysis.all(ast.Compare)
        for side in (node.left, *node.comparators)
        if not _FUNCTIONS.keys().isdisjoint(map(type, node.ops))
    )


_FUNCTIONS: dict[type[ast.cmpop], str] = {ast.Lt: 'less', ast.LtE: 'at_most', ast.Gt: 'greater', ast.GtE: 'at_least'}
_KEYED = {f'builtins.{name}': name for name in ('sorted', 'min', 'max')}
_WRITTEN = {**_KEYED, 'itertools.groupby': 'groupby'}
_SORTING = {
    **_KEYED,
    **{f'bisect.{name}': name for name in ('bisect_left', 'bisect_right', 'insort_left', 'insort_right')},
    'bisect.bisect': 'bisect_right',
    'bisect.insort': 'insort_right',
}
_BY_LENGTH = {'random.choice': 'choice', 'random.shuffle': 'shuffle'}
_ASKING_TRUTH = {'builtins.len': 'length', 'builtins.any': 'any', 'builtins.all': 'all'}


def _sorting(node: ast.Call) -> ast.Call:
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr='sort'), args=[]):
            return call_of('_comparisons__sort', node, value)
        case _:
            return node


class Keys(Transform):
    """Changes calls that sort by a key that waits."""

    feature = 'keys that wait, given to builtins'

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        return any(word.arg == 'key' for word in analysis.all(ast.keyword)) and waiting_of(analysis) is not None

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._waiting = waiting_of(context.analysis, maybe=True)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function = keyed(node)
        node = self.below(node)
        if function is None or self._waiting is None or self._waiting.of(function) is None:
            return node
        if (name := _WRITTEN.get(meaning(node.func) or '')) is not None:
            node.func = set_meaning(named(polyfill('comparisons', name), node), meaning(node.func))
            return set_changed(node)
        return _sorting(node) if meaning(node.func) is None else node


class Comparisons(Renaming):
    feature = 'comparison, truth and length by methods of a class'
    after = ('classes', 'provided_names')

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        compares = _orders(analysis) or _has(analysis, _UNEQUAL, frozenset())
        return compares or _has(analysis, _TRUTH, _SIZED_BY_OTHERS)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._orders = context.has('method __lt__') or _orders(context.analysis)
        self._sizes = _has(context.analysis, _TRUTH, _SIZED_BY_OTHERS)
        self._functions = dict(_FUNCTIONS) if self._orders else {}
        if _has(context.analysis, _UNEQUAL, frozenset()):
            self._functions[ast.NotEq] = 'unequal'
        names = {**(_SORTING if self._orders else {}), **(_ASKING_TRUTH | _BY_LENGTH if self._sizes else {})}
        self.names = {dotted: polyfill('comparisons', name) for dotted, name in names.items()}
        facts = {'method __lt__': self._orders, 'method __bool__': self._sizes}
        context.facts |= {fact for fact, holds in facts.items() if holds}

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace `bool` where it is called or passed to a function; elsewhere, as in `isinstance`, it is a type."""
        name = meaning(node.func) or (node.func.id if isinstance(node.func, ast.Name) else '')
        if self._sizes and name == 'builtins.bool':
            node.func = named('_comparisons__truth', node.func)
        elif self._sizes and name in _FILTERS and isinstance(node.args[0], ast.Constant):
            node.args[0] = named('_comparisons__truth', node.args[0])
            set_changed(node)
        elif self._sizes and name not in _ASKING_TYPES:
            node.args = [self._truth_of(part) for part in node.args]
            for word in node.keywords:
                word.value = self._truth_of(word.value)
        node = self.below(node)
        return _sorting(node) if self._orders else node

    def _truth_of(self, node: ast.expr) -> ast.expr:
        return named('_comparisons__truth', node) if meaning(node) == 'builtins.bool' else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.below(node)
        if not any(type(op) in self._functions for op in node.ops):
            return node
        links, left = list[ast.expr](), node.left
        for place, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True), 1):
            given, again = right, right
            if place < len(node.ops) and not isinstance(right, (ast.Name, ast.Constant)):
                name = self._fresh('middle')
                given, again = quoted_expression('(NAME := X)', node, NAME=name, X=right), named(name, node)
            function = polyfill('comparisons', self._functions.get(type(op), ''))
            asked = quoted_expression('F(A, B)', node, F=function, A=left, B=given)
            links.append(asked if type(op) in self._functions else placed(ast.Compare(left, [op], [given]), node))
            left = again
        return links[0] if len(links) == 1 else placed(ast.BoolOp(ast.And(), links), node)

    def visit_If(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> ast.AST:
        node.test = self._test(node.test)
        return self.below(node)

    visit_While = visit_IfExp = visit_Assert = visit_If

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.ifs = [self._test(test) for test in node.ifs]
        return self.below(node)

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        node.guard = node.guard and self._test(node.guard)
        return self.below(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.op, ast.Not):
            node.operand = self._test(node.operand)
        return self.below(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Rewrite `a or b` as a value."""
        self.below(node)
        *firsts, found = node.values
        if not self._sizes or meaning(node) == 'a test' or all(_is_plain(part) for part in firsts):
            return node
        for part in reversed(firsts):
            name = self._fresh('value')
            test = quoted_expression('_comparisons__truth(NAME := X)', node, NAME=name, X=part)
            both = (found, named(name, node)) if isinstance(node.op, ast.And) else (named(name, node), found)
            found = placed(ast.IfExp(test, *both), node)
        return found

    def _test(self, node: ast.expr) -> ast.expr:
        """Rewrite an expression of which only the truth value counts. Its children have not been visited yet."""
        if not self._sizes:
            return node
        if isinstance(node, ast.BoolOp):
            node.values = [self._test(part) for part in node.values]
            return set_meaning(node, 'a test')
        return node if _is_plain(node) else quoted_expression('_comparisons__truth(X)', node, X=node)


def _is_plain(node: ast.expr) -> bool:
    """Return whether the value is certainly not of a class with its own truth value."""
    match node:
        case ast.Compare() | ast.Constant() | ast.JoinedStr() | ast.List() | ast.Dict() | ast.Set() | ast.Tuple():
            return True
        case ast.UnaryOp(op=ast.Not()) | ast.ListComp() | ast.DictComp() | ast.SetComp():
            return True
        case ast.BoolOp():
            return all(map(_is_plain, node.values))
        case ast.Call(func=func):
            return meaning(func) in _GIVING_TRUTH
        case _:
            return False


_ASKING_TYPES = frozenset(
    ['builtins.isinstance', 'builtins.issubclass', '_classes__is_a', '_classes__is_below', '_exceptions__is_instance']
)
_FILTERS = ('builtins.filter', '_iterators__filter')
_GIVING_TRUTH = frozenset(
    [*_ASKING_TRUTH, 'builtins.bool', 'builtins.isinstance', 'builtins.hasattr', 'builtins.callable']
)
