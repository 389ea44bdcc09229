"""A script gives output of every type that an agent may have: it comes out as if a model had sent it."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_ai import (
    Agent,
    DeferredToolRequests,
    ModelRetry,
    NativeOutput,
    PromptedOutput,
    RunContext,
    StructuredDict,
    TextOutput,
    ToolOutput,
)
from typing_extensions import TypedDict

from tests.toolscript.output.answering import done, shelf
from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


class Stock(BaseModel):
    """What there is."""

    product: str
    pieces: int


class Colour(Enum):
    RED = 'red'
    BLUE = 'blue'


class Delivery(BaseModel):
    model_config = ConfigDict(strict=True)

    day: date
    colours: set[Colour]
    place: tuple[int, str]
    price: Decimal
    note: str | None = None


class Row(TypedDict):
    product: str
    pieces: int


@dataclass
class Shelf:
    product: str
    pieces: int


class Tree(BaseModel):
    name: str
    below: list['Tree'] = []


class Letter(BaseModel):
    sender: str = Field(alias='from')
    kind: int = Field(alias='class', default=1)


class Loose(BaseModel):
    model_config = ConfigDict(extra='allow')

    number: int


class Cat(BaseModel):
    kind: Literal['cat']
    lives: int


class Dog(BaseModel):
    kind: Literal['dog']
    name: str


class Owner(BaseModel):
    pet: Annotated[Cat | Dog, Field(discriminator='kind')]


def doubled(pieces: int) -> int:
    """Twice as many."""
    return 2 * pieces


async def labelled(ctx: RunContext[None], product: str, pieces: int) -> str:
    """A label."""
    return f'{pieces} x {product} for {ctx.prompt}'


def shouted(text: str) -> str:
    return text.upper()


KINDS: list[tuple[str, Any, str, Any]] = [
    ('text', str, "await final_text(f'{sum(await pieces())} pieces')", '42 pieces'),
    ('int', int, 'await final_result(sum(await pieces()))', 42),
    ('float', float, 'await final_result(sum(await pieces()) / 4)', 10.5),
    ('infinity', float, "await final_result(float('inf'))", float('inf')),
    ('true', bool, 'await final_result(sum(await pieces()) == 42)', True),
    ('false', bool, 'await final_result(not await pieces())', False),
    ('zero', int, 'await final_result(response=0)', 0),
    ('list', list[int], 'await final_result(await pieces())', [20, 22]),
    ('empty list', list[int], 'await final_result([])', []),
    ('dict', dict[str, int], "await final_result({'a b': 1})", {'a b': 1}),
    ('literal', Literal['few', 'many'], "await final_result('many')", 'many'),
    ('enumeration', Colour, "await final_result('blue')", Colour.BLUE),
    ('date', date, "await final_result('2026-02-28')", date(2026, 2, 28)),
    ('constrained', Annotated[int, Field(ge=0)], 'await final_result(3)', 3),
    ('model', Stock, "await final_result(product='nut', pieces=3)", Stock(product='nut', pieces=3)),
    ('model by place', Stock, "await final_result('nut', 3)", Stock(product='nut', pieces=3)),
    (
        'strict model',
        Delivery,
        "await final_result('2026-02-28', ['red', 'red'], [1, 'a'], price='1.50')",
        Delivery(day=date(2026, 2, 28), colours={Colour.RED}, place=(1, 'a'), price=Decimal('1.50')),
    ),
    (
        'aliases',
        Letter,
        "await final_result(from_='Ada', class_=2)",
        Letter.model_validate({'from': 'Ada', 'class': 2}),
    ),
    ('aliases in a dict', Letter, "await final_result(**{'from': 'Ada'})", Letter.model_validate({'from': 'Ada'})),
    ('more fields', Loose, 'await final_result(number=1, other=2)', Loose.model_validate({'number': 1, 'other': 2})),
    (
        'told apart by a field',
        Owner,
        "await final_result({'kind': 'dog', 'name': 'Rex'})",
        Owner(pet=Dog(kind='dog', name='Rex')),
    ),
    ('typed dict', Row, "await final_result(product='nut', pieces=3)", {'product': 'nut', 'pieces': 3}),
    ('dataclass', Shelf, "await final_result(product='nut', pieces=3)", Shelf('nut', 3)),
    (
        'tree',
        Tree,
        "await final_result(name='a', below=[{'name': 'b', 'below': []}])",
        Tree(name='a', below=[Tree(name='b')]),
    ),
    (
        'schema',
        StructuredDict({'type': 'object', 'properties': {'n': {'type': 'integer'}}, 'required': ['n']}, name='N'),
        'await final_result(n=3)',
        {'n': 3},
    ),
    ('first of two', Stock | int, "await final_result_Stock(product='nut', pieces=3)", Stock(product='nut', pieces=3)),
    ('second of two', [Stock, int], 'await final_result_int(3)', 3),
    ('tool beside text', [Stock, str], "await final_result('nut', 3)", Stock(product='nut', pieces=3)),
    ('text beside tool', [Stock, str], "await final_text('none')", 'none'),
    ('nothing, or a number', int | None, 'await final_result_None(None)', None),
    (
        'a named tool',
        ToolOutput(Stock, name='tell-stock'),
        "await tell_stock('nut', 3)",
        Stock(product='nut', pieces=3),
    ),
    (
        'two named tools',
        [ToolOutput(Stock, name='stock'), ToolOutput(int, name='count')],
        'await count(response=3)',
        3,
    ),
    ('native', NativeOutput(Stock), "await final_result(product='nut', pieces=3)", Stock(product='nut', pieces=3)),
    ('native number', NativeOutput(int), 'await final_result(response=3)', 3),
    (
        'native union',
        NativeOutput([Stock, Tree]),
        "await final_result({'kind': 'Tree', 'data': {'name': 'oak'}})",
        Tree(name='oak'),
    ),
    ('prompted', PromptedOutput(Stock), "await final_result('nut', 3)", Stock(product='nut', pieces=3)),
    ('text through a function', TextOutput(shouted), "await final_text('nut')", 'NUT'),
    ('output function', doubled, 'await final_result(pieces=21)', 42),
    ('output function with the run', labelled, "await final_result('nut', pieces=3)", '3 x nut for go'),
    ('functions in a union', [doubled, Stock], 'await final_result_doubled(21)', 42),
    ('beside pauses', [Stock, DeferredToolRequests], "await final_result('nut', 3)", Stock(product='nut', pieces=3)),
    ('text beside pauses', [str, DeferredToolRequests], "await final_text('nut')", 'nut'),
]


@pytest.mark.parametrize(
    ('output_type', 'code', 'output'), [kind[1:] for kind in KINDS], ids=[kind[0] for kind in KINDS]
)
async def test_it_comes_out_as_if_the_model_had_sent_it(output_type: Any, code: str, output: Any) -> None:
    run = await done(output_type, run_code(code))
    assert (run.output, type(run.output)) == (output, type(output))
    assert (run.asked, run.requests) == (1, 2)


REFUSED: list[tuple[str, Any, str, str, str]] = [
    ('missing', Stock, "final_result(product='nut')", "final_result('nut', 3)", '`pieces`'),
    ('written out wrongly', Stock, "final_result('nut', [3])", "final_result('nut', 3)", 'Expected `int`'),
    ('not a number', int, "final_result('n' * len(await pieces()))", 'final_result(3)', 'unable to parse string'),
    ('not that literal', Literal['few', 'many'], "final_result('some')", "final_result('few')", "'few'"),
    ('below', Annotated[int, Field(ge=0)], 'final_result(-len(await pieces()))', 'final_result(3)', 'or equal to 0'),
    ('no text', str, 'final_text(3)', "final_text('3')", 'Expected `str`'),
    ('empty text', str, "final_text(' ' * len(await pieces()))", "final_text('3')", 'The final answer is empty'),
]


@pytest.mark.parametrize(
    ('output_type', 'wrong', 'right', 'about'), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
async def test_what_does_not_fit_is_refused_in_the_script(output_type: Any, wrong: str, right: str, about: str) -> None:
    run = await done(output_type, run_code(f'await {wrong}'), run_code(f'await {right}'))
    assert about in run.script.answers[0]
    assert (run.asked, run.requests) == (2, 3)


class Watched(BaseModel):
    """A number with validators of its own."""

    n: int

    @field_validator('n')
    @classmethod
    def check(cls, n: int) -> int:
        """Refuses in every way."""
        if n == 1:
            raise ValueError('one')
        if n == 2:
            raise ModelRetry('two is no good')
        if n == 3:
            raise KeyError('a secret')
        return n


async def test_what_validators_of_the_output_raise_is_told_as_a_tools_is(caplog: pytest.LogCaptureFixture) -> None:
    turns = [run_code(f'n = {n}\nawait final_result(n=n)') for n in (1, 2, 3, 4)]
    run = await done(Watched, *turns)
    assert run.output == Watched(n=4)
    told = ['\n'.join(answer.splitlines()[2:]) for answer in run.script.answers[:2]]
    assert told == snapshot(
        [
            """\
ValueError: final_result got arguments it cannot take:
- n: Value error, one (got 1)
Calls: final_result failed.\
""",
            """\
RuntimeError: two is no good
Calls: final_result failed.\
""",
        ]
    )
    assert 'a secret' not in str(run.messages)
    assert 'KeyError: final_result failed with KeyError' in run.script.answers[2]
    assert 'a secret' in caplog.text


async def test_what_the_model_reads() -> None:
    run = await done([Stock, str], run_code("await final_text('none')"))
    assert run.prompt.partition('no files, no network.')[2] == snapshot('''\


Where you know the form of your final answer before you see the data, give it from the script that computes it: `await final_result(...)` or `await final_text(...)`, once. With the script's end the job is done. Otherwise look at the data first.

async def pieces() -> list[int]:
 """The pieces on each shelf."""

async def final_result(product: str, pieces: int) -> None:
 """What there is."""

async def final_text(text: str) -> None:
 """The final answer, in the words in which it is to be read."""\
''')


async def test_without_it_nothing_changes() -> None:
    script = Script([run_code("await final_text('none')")])
    result = await Agent(script.model, toolsets=[CodeModeToolset(shelf())]).run('go')
    assert result.output == 'done'
    assert 'final' not in (script.shown[0]['run_code'].description or '')
