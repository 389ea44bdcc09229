"""Order, truth and length of objects whose class defines them, which Monty does not ask; and keys that wait.

`a < b`, `sorted(...)`, `if a` and `len(a)` call polyfills in scripts and sessions that have a class with such a
method. A polyfill tries what Monty does first, so other values cost one call more. Its `sorted`, `min` and `max` call
keys where the script can wait, which Monty's cannot (`language/waiting.py`).
"""

from __future__ import annotations

import ast

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.names import polyfill
from toolscript_sandbox.language.waiting import Waiting, keyed, waiting_of

from .transform import Context, Transform
from .tree import Transformer, meaning, placed, quoted_expression, set_changed, set_meaning

_ORDER = frozenset(['__lt__', '__le__', '__gt__', '__ge__'])
_TRUTH = frozenset(['__bool__', '__len__'])
_ORDERED_BY_OTHERS = frozenset(
    [
        *('cmp_to_key', 'total_ordering', 'Fraction', 'fractions', 'IntEnum', 'IntFlag'),
        *('Path', 'pathlib', 'PurePath', 'UUID'),
    ]
)
"""Words that stand for classes with an order of their own."""
_SIZED_BY_OTHERS = frozenset(
    [
        *('Fraction', 'ChainMap', 'Enum', 'IntEnum', 'StrEnum', 'Flag', 'IntFlag', 'bytearray'),
        *('urlparse', 'urlsplit', 'ConfigParser', 'ElementTree'),
    ]
)
"""Words that stand for classes with a length or a truth of their own."""


def _needed(analysis: Analysis) -> bool:
    return _has(analysis, _ORDER, _ORDERED_BY_OTHERS) or _has(analysis, _TRUTH, _SIZED_BY_OTHERS)


def _has(analysis: Analysis, methods: frozenset[str], words: frozenset[str]) -> bool:
    """Whether a class of the session has one of the methods."""
    if analysis.has(*(f'method {name}' for name in methods)) or not analysis.words.isdisjoint(words):
        return True
    if '__lt__' in methods and any(word.arg == 'order' for word in analysis.all(ast.keyword)):
        return True
    return any(node.name in methods for node in analysis.all(ast.FunctionDef))


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    analysis = context.analysis
    if _has(analysis, _ORDER, _ORDERED_BY_OTHERS):
        context.facts.add('method __lt__')
        tree = _Order(context).below(tree)
    if _has(analysis, _TRUTH, _SIZED_BY_OTHERS):
        context.facts.add('method __bool__')
        tree = _Truth(context).below(tree)
    return tree


_FUNCTIONS: dict[type[ast.cmpop], str] = {ast.Lt: 'less', ast.LtE: 'at_most', ast.Gt: 'greater', ast.GtE: 'at_least'}
_KEYED = {**{f'builtins.{name}': name for name in ('sorted', 'min', 'max')}, 'itertools.groupby': 'groupby'}
_SORTING = {
    **_KEYED,
    **{f'bisect.{name}': name for name in ('bisect_left', 'bisect_right', 'insort_left', 'insort_right')},
    'bisect.bisect': 'bisect_right',
    'bisect.insort': 'insort_right',
}


def _named(node: ast.Name | ast.Attribute, names: dict[str, str]) -> ast.expr:
    name = names.get(meaning(node) or '')
    return node if name is None else placed(ast.Name(polyfill('comparisons', name), ast.Load()), node)


def _sorting(node: ast.Call) -> ast.expr:
    match node.func:
        case ast.Attribute(value=value, attr='sort') if not node.args:
            call = quoted_expression('_comparisons__sort(X)', node, X=value)
            assert isinstance(call, ast.Call)
            call.keywords = node.keywords
            return call
        case _:
            return node


def _may_wait(analysis: Analysis) -> bool:
    return any(word.arg == 'key' for word in analysis.all(ast.keyword)) and waiting_of(analysis) is not None


def _with_keys(tree: ast.Module, context: Context) -> ast.Module:
    waiting = waiting_of(context.analysis)
    return tree if waiting is None else _Keys(waiting).below(tree)


class _Keys(Transformer):
    """What sorts by a key that waits."""

    def __init__(self, waiting: Waiting) -> None:
        self._waiting = waiting

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function = keyed(node)
        node = self.below(node)
        if function is None or self._waiting.of(function, maybe=True) is None:
            return node
        if isinstance(node.func, (ast.Name, ast.Attribute)) and (new := _named(node.func, _KEYED)) is not node.func:
            node.func = set_meaning(new, meaning(node.func))
            return set_changed(node)
        return _sorting(node) if meaning(node.func) is None else node


class _Order(Transformer):
    def __init__(self, context: Context) -> None:
        self._fresh = context.fresh

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return _named(node, _SORTING)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return _named(self.below(node), _SORTING)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return _sorting(self.below(node))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.below(node)
        if not any(type(op) in _FUNCTIONS for op in node.ops):
            return node
        links, left = list[ast.expr](), node.left
        for place, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            given, again = right, right
            if place + 1 < len(node.ops) and not isinstance(right, (ast.Name, ast.Constant)):
                name = self._fresh('middle')
                given = quoted_expression('(NAME := X)', node, NAME=name, X=right)
                again = quoted_expression('NAME', node, NAME=name)
            function = _FUNCTIONS.get(type(op))
            if function is None:
                links.append(placed(ast.Compare(left, [op], [given]), node))
            else:
                links.append(quoted_expression('F(A, B)', node, F=polyfill('comparisons', function), A=left, B=given))
            left = again
        return links[0] if len(links) == 1 else placed(ast.BoolOp(ast.And(), links), node)


class _Truth(Transformer):
    def __init__(self, context: Context) -> None:
        self._fresh = context.fresh

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

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return _named(node, _ASKING_TRUTH)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """`bool` is a function where it is called or given to one; elsewhere, as in `isinstance`, it is a type."""
        name = meaning(node.func) or (node.func.id if isinstance(node.func, ast.Name) else '')
        if name == 'builtins.bool':
            node.func = self._truth_of(node.func)
        elif name not in _ASKING_TYPES:
            node.args = [self._truth_of(part) if meaning(part) == 'builtins.bool' else part for part in node.args]
            for word in node.keywords:
                word.value = self._truth_of(word.value) if meaning(word.value) == 'builtins.bool' else word.value
        return self.below(node)

    def _truth_of(self, node: ast.expr) -> ast.expr:
        return placed(ast.Name('_comparisons__truth', ast.Load()), node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """`a or b` as a value."""
        self.below(node)
        *firsts, found = node.values
        if meaning(node) == 'a test' or all(_is_plain(part) for part in firsts):
            return node
        for part in reversed(firsts):
            name = self._fresh('value')
            test = quoted_expression('_comparisons__truth(NAME := X)', node, NAME=name, X=part)
            again = quoted_expression('NAME', node, NAME=name)
            both = (found, again) if isinstance(node.op, ast.And) else (again, found)
            found = placed(ast.IfExp(test, *both), node)
        return found

    def _test(self, node: ast.expr) -> ast.expr:
        """An expression of which only the truth counts, before what is below it is visited."""
        if isinstance(node, ast.BoolOp):
            node.values = [self._test(part) for part in node.values]
            return set_meaning(node, 'a test')
        return node if _is_plain(node) else quoted_expression('_comparisons__truth(X)', node, X=node)


def _is_plain(node: ast.expr) -> bool:
    """Whether the value is no object of a class with a truth of its own."""
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
_ASKING_TRUTH = {'builtins.len': 'length', 'builtins.any': 'any', 'builtins.all': 'all'}
_GIVING_TRUTH = frozenset(
    [*_ASKING_TRUTH, 'builtins.bool', 'builtins.isinstance', 'builtins.hasattr', 'builtins.callable']
)

COMPARISONS = Transform(
    'comparison, truth and length by methods of a class',
    _apply,
    _needed,
    after=('classes', 'provided_names'),
    probe='class A:\n    def __lt__(self, other): return True\n    def __bool__(self): return False\n'
    '    def __len__(self): return 2\na = A()\nassert a < a and not a and len(a) == 2 and sorted([a, a])',
)
KEYS = Transform(
    'keys that wait, given to builtins',
    _with_keys,
    _may_wait,
    probe='import time\nsorted([2, 1], key=lambda x: time.sleep(0) or x)',
)
