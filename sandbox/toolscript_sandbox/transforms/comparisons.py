"""Order, truth and length of objects whose class defines them, which Monty does not ask.

`a < b`, `sorted(...)`, `if a` and `len(a)` call polyfills in scripts and sessions that have a class with such a
method. A polyfill tries what Monty does first, so other values cost one call more.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.names import polyfill

from .transform import Context, Transform
from .tree import Transformer, meaning, placed, quoted_expression, set_changed, set_meaning

_ORDER = frozenset(['__lt__', '__le__', '__gt__', '__ge__'])
_TRUTH = frozenset(['__bool__', '__len__'])
_ASKED = _ORDER | _TRUTH
_ORDERED_BY_OTHERS = frozenset(
    [
        'cmp_to_key',
        'total_ordering',
        'Fraction',
        'fractions',
        'IntEnum',
        'IntFlag',
        'Path',
        'pathlib',
        'PurePath',
        'UUID',
    ]
)
"""Words that stand for classes with an order of their own."""
_SIZED_BY_OTHERS = frozenset(
    (
        *('Fraction', 'ChainMap', 'Enum', 'IntEnum', 'StrEnum', 'Flag', 'IntFlag', 'bytearray', 'urlparse', 'urlsplit'),
        *('ConfigParser', 'ElementTree'),
    )
)
"""Words that stand for classes with a length or a truth of their own."""


def _needed(analysis: Analysis) -> bool:
    if analysis.has(*(f'method {name}' for name in _ASKED)):
        return True
    if any(node.name in _ASKED for node in analysis.all(ast.FunctionDef)):
        return True
    return not analysis.words.isdisjoint(_ORDERED_BY_OTHERS | _SIZED_BY_OTHERS) or any(
        word.arg == 'order' for word in analysis.all(ast.keyword)
    )


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    defined = {node.name for node in context.analysis.all(ast.FunctionDef)} & _ASKED
    context.facts.update(f'method {name}' for name in defined)
    has_order = not _ORDER.isdisjoint(defined) or any(context.has(f'method {name}') for name in _ORDER)
    words = context.analysis.words
    has_order = has_order or not words.isdisjoint(_ORDERED_BY_OTHERS)
    has_order = has_order or any(word.arg == 'order' for word in context.analysis.all(ast.keyword))
    if has_order:
        context.facts.add('method __lt__')
        tree = _Order(context).below(tree)
    if not words.isdisjoint(_SIZED_BY_OTHERS):
        context.facts.add('method __len__')
    if any(context.has(f'method {name}') for name in _TRUTH):
        tree = _Truth(context).below(tree)
    return tree


_FUNCTIONS: dict[type[ast.cmpop], str] = {ast.Lt: 'less', ast.LtE: 'at_most', ast.Gt: 'greater', ast.GtE: 'at_least'}
_SORTING = {
    **{f'builtins.{name}': name for name in ('sorted', 'min', 'max')},
    **{f'bisect.{name}': name for name in ('bisect_left', 'bisect_right', 'insort_left', 'insort_right')},
    'bisect.bisect': 'bisect_right',
    'bisect.insort': 'insort_right',
}


class _Order(Transformer):
    def __init__(self, context: Context) -> None:
        self._fresh = context.fresh

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._sorting(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self._sorting(self.below(node))

    def _sorting(self, node: ast.Name | ast.Attribute) -> ast.expr:
        name = _SORTING.get(meaning(node) or '')
        return node if name is None else placed(ast.Name(polyfill('comparisons', name), ast.Load()), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.below(node)
        match node.func:
            case ast.Attribute(value=value, attr='sort') if not node.args:
                call = quoted_expression('_comparisons__sort(X)', node, X=value)
                assert isinstance(call, ast.Call)
                call.keywords = node.keywords
                return call
            case _:
                return node

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
            links.append(self._link(node, op, left, given))
            left = again
        return links[0] if len(links) == 1 else placed(ast.BoolOp(ast.And(), links), node)

    def _link(self, node: ast.Compare, op: ast.cmpop, left: ast.expr, right: ast.expr) -> ast.expr:
        function = _FUNCTIONS.get(type(op))
        if function is None:
            return placed(ast.Compare(left, [op], [right]), node)
        return quoted_expression('F(A, B)', node, F=polyfill('comparisons', function), A=left, B=right)


class _Truth(Transformer):
    def __init__(self, context: Context) -> None:
        self._fresh = context.fresh

    def visit_If(self, node: ast.If) -> ast.AST:
        return self._tested(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._tested(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        return self._tested(node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return self._tested(node)

    def _tested(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> ast.AST:
        node.test, changed = self._test(node.test)
        self.below(node)
        return set_changed(node) if changed else node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        tests = [self._test(test) for test in node.ifs]
        node.ifs = [test for test, _ in tests]
        self.below(node)
        return set_changed(node) if any(changed for _, changed in tests) else node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        changed = False
        if node.guard is not None:
            node.guard, changed = self._test(node.guard)
        self.below(node)
        return set_changed(node) if changed else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        changed = False
        if isinstance(node.op, ast.Not):
            node.operand, changed = self._test(node.operand)
        self.below(node)
        return set_changed(node) if changed else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = _ASKING_TRUTH.get(meaning(node) or '')
        return node if name is None else placed(ast.Name(polyfill('comparisons', name), ast.Load()), node)

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

    def _test(self, node: ast.expr) -> tuple[ast.expr, bool]:
        """An expression of which only the truth counts, before what is below it is visited; whether it changed."""
        if isinstance(node, ast.BoolOp):
            parts = [self._test(part) for part in node.values]
            new = placed(ast.BoolOp(node.op, [part for part, _ in parts]), node)
            set_meaning(new, 'a test')
            return (new, True) if any(changed for _, changed in parts) else (node, False)
        if _is_plain(node):
            return node, False
        return quoted_expression('_comparisons__truth(X)', node, X=node), True


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
    f'builtins.{name}' for name in ('isinstance', 'hasattr', 'any', 'all', 'bool', 'callable', 'len')
)


COMPARISONS = Transform(
    'comparison, truth and length by methods of a class',
    _apply,
    _needed,
    after=('classes', 'provided_names'),
    probe='class A:\n    def __lt__(self, other): return True\n    def __bool__(self): return False\n'
    '    def __len__(self): return 2\n'
    'a = A()\nassert a < a and not a and len(a) == 2 and sorted([a, a])',
)
