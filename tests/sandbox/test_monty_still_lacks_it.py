"""Each lowering stands in for something that Monty lacks. The day that Monty has it, a test here fails and a file can go."""

import pytest
from pydantic_monty import Monty, MontyError, MontyRuntimeError
from toolscript_sandbox.lowering.classes.inheritance import flattened
from toolscript_sandbox.lowering.classes.missing_attributes import with_missing_attributes
from toolscript_sandbox.lowering.classes.nested_classes import unnested
from toolscript_sandbox.lowering.classes.private_names import with_private_names
from toolscript_sandbox.lowering.errors.block_ends import with_block_ends
from toolscript_sandbox.lowering.errors.failures import with_failures
from toolscript_sandbox.lowering.errors.missing_items import with_keys
from toolscript_sandbox.lowering.errors.own_errors import with_own_errors
from toolscript_sandbox.lowering.errors.wordings import with_wordings
from toolscript_sandbox.lowering.generators.abandoned import closing
from toolscript_sandbox.lowering.generators.generator_functions import resumable
from toolscript_sandbox.lowering.generators.iterators import lazily
from toolscript_sandbox.lowering.names.comprehension_names import renamed
from toolscript_sandbox.lowering.names.positional_only import with_positional_only
from toolscript_sandbox.lowering.passes import LOWERINGS
from toolscript_sandbox.lowering.program import Lowering
from toolscript_sandbox.lowering.rules.all_rules import by_rules
from toolscript_sandbox.lowering.rules.function_attributes import with_function_attributes
from toolscript_sandbox.lowering.rules.tasks import with_loop
from toolscript_sandbox.lowering.special_classes.class_patterns import with_class_patterns
from toolscript_sandbox.lowering.special_classes.dataclass_options import with_dataclass_options
from toolscript_sandbox.lowering.special_classes.enum_borders import with_values_of_members
from toolscript_sandbox.lowering.special_classes.enums import with_enums
from toolscript_sandbox.lowering.special_classes.records import with_records
from toolscript_sandbox.lowering.special_classes.shown_classes import with_shown_classes
from toolscript_sandbox.lowering.values.additions import extended
from toolscript_sandbox.lowering.values.circle_comparisons import with_bounded_comparisons
from toolscript_sandbox.lowering.values.complexes import with_complexes
from toolscript_sandbox.lowering.values.first_keys import with_first_keys
from toolscript_sandbox.lowering.values.formats import with_formats
from toolscript_sandbox.lowering.values.nans import with_nans_told_apart
from toolscript_sandbox.lowering.values.own_formats import with_own_formats
from toolscript_sandbox.lowering.values.set_changes import in_place
from toolscript_sandbox.lowering.values.set_order import with_set_order
from toolscript_sandbox.lowering.values.shown_values import with_shown_values

_DATA = 'from dataclasses import dataclass, field\n'
LACKING: list[tuple[Lowering, str, object]] = [
    (with_keys, 'try:\n    {}[3]\nexcept KeyError as e:\n    x = e.args\nx', (3,)),
    (extended, 'x = [1]\nx += (2,)\nx', [1, 2]),
    (extended, 'x = y = [1]\nx *= 2\ny', [1, 1]),
    (with_formats, "try:\n    f'{None:>9}'\nexcept TypeError as e:\n    x = 1\nx", 1),
    (in_place, 's = {1}\nt = s\nt |= {2}\nlen(s)', 2),
    (resumable, 'def g():\n    yield 1\nlist(g())', [1]),
    (resumable, 'async def g():\n    yield 1\n[x async for x in g()]', [1]),
    (
        closing,
        'x = []\ndef g():\n    try:\n        yield 1\n    finally:\n        x.append(2)\nfor _ in g(): break\nx',
        [2],
    ),
    (lazily, 'm = map(str, [1])\n[list(m), list(m)]', [['1'], []]),
    (lazily, 'z = zip([1], [2])\n[list(z), list(z)]', [[(1, 2)], []]),
    (lazily, 'e = enumerate([1])\n[list(e), list(e)]', [[(0, 1)], []]),
    (lazily, 'f = filter(None, [1])\n[list(f), list(f)]', [[1], []]),
    (lazily, 'r = reversed([1])\n[list(r), list(r)]', [[1], []]),
    (lazily, 'any(1 / x > 0 for x in [1, 0])', True),
    (with_loop, 'import asyncio\nasync def f():\n    return 1\nt = asyncio.create_task(f())\nawait t', 1),
    (with_values_of_members, 'import enum\nclass E(enum.Enum):\n    A = 1\n{E.A: 1}', {1: 1}),
    (renamed, '[max for max in [1]]', [1]),
    (flattened, 'class A:\n    def f(self): return 1\nclass B(A): pass\nB().f()', 1),
    (flattened, 'class A:\n    @property\n    def f(self): return 1\nA().f', 1),
    (flattened, 'def d(f): return lambda self: 2\nclass A:\n    @d\n    def f(self): return 1\nA().f()', 2),
    (flattened, 'class A:\n    @staticmethod\n    def f(): return 1\nA.f()', 1),
    (unnested, 'class A:\n    class B:\n        x = 1\nA.B.x', 1),
    (with_positional_only, 'def f(a, /, **k): return k\nf(1, a=2)', {'a': 2}),
    (with_private_names, 'class A:\n    def __init__(self): self.__x = 1\nhasattr(A(), "__x")', False),
    (with_records, 'import typing\nclass P(typing.NamedTuple):\n    x: int\n    def f(self): return 1\nP(1).f()', 1),
    (with_dataclass_options, f'{_DATA}@dataclass(kw_only=True)\nclass A:\n    x: int\nA(x=1).x', 1),
    (
        with_dataclass_options,
        f'{_DATA}@dataclass\nclass A:\n    x: int = field(repr=False, default=1)\nstr(A())',
        'A()',
    ),
    (with_first_keys, 'd = {1: 0}\nd[True] = 2\nstr(d)', '{1: 2}'),
    (with_nans_told_apart, "x, y = float('nan'), float('nan')\n[x] == [y]", False),
    (
        with_bounded_comparisons,
        'a, b = [], []\na.append(a)\nb.append(b)\ntry:\n    a == b\nexcept RecursionError as e:\n    x = str(e)\nx',
        'maximum recursion depth exceeded in comparison',
    ),
    (with_wordings, 'try:\n    max([])\nexcept ValueError as e:\n    x = str(e)\nx', 'max() arg is an empty sequence'),
    (
        with_failures,
        'try:\n    1 % 0\nexcept ZeroDivisionError as e:\n    x = str(e)\nx',
        'integer modulo by zero',
    ),
    (with_complexes, 'str(4 - 0j)', '(4+0j)'),
    (with_set_order, '[x for x in {3, 1, 2}]', [1, 2, 3]),
    (with_shown_values, 'class A: pass\nstr([A])', "[<class '__main__.A'>]"),
    (with_shown_classes, 'class A: pass\nstr(A)', "<class '__main__.A'>"),
    (flattened, 'class A:\n    def __bool__(self): return False\n1 if A() else 2', 2),
    (flattened, 'class A:\n    def f(self): return 1\na = A()\na.f == a.f', True),
    (by_rules, 'class A:\n    def __lt__(self, o): return True\nA() < A()', True),
    (by_rules, 'class A:\n    def __iadd__(self, o): return 5\na = A()\na += 1\na', 5),
    (by_rules, 'class A:\n    def __ne__(self, o): return 5\nA() != A()', 5),
    (with_own_formats, "class A:\n    def __format__(self, s): return s\nf'{A():x}'", 'x'),
    (with_missing_attributes, 'class A:\n    def __getattr__(self, n): return n\nA().x', 'x'),
    (with_function_attributes, 'def f(): pass\nf.x = 1\nf.x', 1),
    (with_own_errors, 'class E(Exception): pass\ntry:\n    raise E(1)\nexcept E:\n    x = 1\nx', 1),
    (with_class_patterns, 'x = 0\nmatch KeyError(1):\n    case LookupError():\n        x = 1\nx', 1),
    (with_enums, 'import enum\nclass E(enum.Enum):\n    A = 1\nE.A.value', 1),
]


@pytest.mark.parametrize(('lowering', 'program', 'meant'), LACKING, ids=[f'{p[0].__name__}:{p[1]}' for p in LACKING])
def test_monty_by_itself_lacks_what_a_lowering_stands_in_for(lowering: Lowering, program: str, meant: object) -> None:
    with Monty() as pool, pool.checkout() as session:
        try:
            value = session.feed_run(program, skip_type_check=True)
        except MontyError:
            return
    assert value != meant, f'Monty has it: {lowering.__module__} may go'


def test_every_lowering_that_only_monty_needs_is_tried() -> None:
    assert {one.lowering for one in LOWERINGS} - {with_block_ends} <= {lowering for lowering, _, _ in LACKING}


def test_monty_tells_the_end_of_a_handler_for_what_it_does_not_catch() -> None:
    with Monty() as pool, pool.checkout() as session, pytest.raises(MontyRuntimeError) as told:
        session.feed_run('try:\n    {}[3]\nexcept ValueError:\n    x = 1\n', skip_type_check=True)
    assert told.value.traceback()[-1].line != 2, 'Monty tells the line: block_ends.py may go'
