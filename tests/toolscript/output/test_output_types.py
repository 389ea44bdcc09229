"""A script gives output of every type: the result is the same as if a model had sent it."""

from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_ai import (
    DeferredToolRequests,
    ModelRetry,
    NativeOutput,
    PromptedOutput,
    RunContext,
    StructuredDict,
    TextOutput,
    ToolOutput,
)

from tests.toolscript.output.answering import done
from tests.toolscript.scripted import run_code

pytestmark = pytest.mark.pydantic_ai


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


class Tree(BaseModel):
    name: str
    below: list['Tree'] = []


class Letter(BaseModel):
    sender: str = Field(alias='from')
    kind: int = Field(alias='class', default=1)


class Loose(BaseModel):
    model_config = ConfigDict(extra='allow')

    number: int


def doubled(pieces: int) -> int:
    """Twice as many."""
    return 2 * pieces


async def labelled(ctx: RunContext[None], product: str, pieces: int) -> str:
    """A label."""
    return f'{pieces} x {product} for {ctx.prompt}'


def shouted(text: str) -> str:
    return text.upper()


NUTS = Stock(product='nut', pieces=3)
KINDS: list[tuple[str, Any, str, Any]] = [
    ('text', str, "await final_text(f'{sum(await pieces())} pieces')", '42 pieces'),
    ('int', int, 'await final_result(sum(await pieces()))', 42),
    ('infinity', float, "await final_result(float('inf'))", float('inf')),
    ('false', bool, 'await final_result(not await pieces())', False),
    ('list', list[int], 'await final_result(await pieces())', [20, 22]),
    ('empty list', list[int], 'await final_result([])', []),
    ('dict', dict[str, int], "await final_result({'a b': 1})", {'a b': 1}),
    ('enumeration', Colour, "await final_result('blue')", Colour.BLUE),
    ('model', Stock, "await final_result(product='nut', pieces=3)", NUTS),
    ('model by place', Stock, "await final_result('nut', 3)", NUTS),
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
        'schema',
        StructuredDict({'type': 'object', 'properties': {'n': {'type': 'integer'}}, 'required': ['n']}, name='N'),
        'await final_result(n=3)',
        {'n': 3},
    ),
    ('first of two', Stock | int, "await final_result_Stock(product='nut', pieces=3)", NUTS),
    ('second of two', [Stock, int], 'await final_result_int(3)', 3),
    ('tool beside text', [Stock, str], "await final_result('nut', 3)", NUTS),
    ('text beside tool', [Stock, str], "await final_text('none')", 'none'),
    ('nothing, or a number', int | None, 'await final_result_None(None)', None),
    ('a named tool', ToolOutput(Stock, name='tell-stock'), "await tell_stock('nut', 3)", NUTS),
    ('native', NativeOutput(Stock), "await final_result(product='nut', pieces=3)", NUTS),
    (
        'native union',
        NativeOutput([Stock, Tree]),
        "await final_result({'kind': 'Tree', 'data': {'name': 'oak'}})",
        Tree(name='oak'),
    ),
    ('prompted', PromptedOutput(Stock), "await final_result('nut', 3)", NUTS),
    ('text through a function', TextOutput(shouted), "await final_text('nut')", 'NUT'),
    ('output function', doubled, 'await final_result(pieces=21)', 42),
    ('output function with the run', labelled, "await final_result('nut', pieces=3)", '3 x nut for go'),
    ('beside pauses', [Stock, DeferredToolRequests], "await final_result('nut', 3)", NUTS),
]


@pytest.mark.parametrize(
    ('output_type', 'code', 'output'), [kind[1:] for kind in KINDS], ids=[kind[0] for kind in KINDS]
)
async def test_the_output_is_the_same_as_if_the_model_had_sent_it(output_type: Any, code: str, output: Any) -> None:
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
async def test_invalid_output_is_refused_in_the_script(output_type: Any, wrong: str, right: str, about: str) -> None:
    run = await done(output_type, run_code(f'await {wrong}'), run_code(f'await {right}'))
    assert about in run.script.answers[0]
    assert (run.asked, run.requests) == (2, 3)


class Watched(BaseModel):
    """A number with its own validators."""

    n: int

    @field_validator('n')
    @classmethod
    def check(cls, n: int) -> int:
        if n == 1:
            raise ValueError('one')
        if n == 2:
            raise ModelRetry('two is no good')
        if n == 3:
            raise KeyError('a secret')
        return n


async def test_errors_of_output_validators_read_like_those_of_tools(caplog: pytest.LogCaptureFixture) -> None:
    turns = [run_code(f'n = {n}\nawait final_result(n=n)') for n in (1, 2, 3, 4)]
    run = await done(Watched, *turns)
    assert run.output == Watched(n=4)
    reported = ['\n'.join(answer.splitlines()[2:]) for answer in run.script.answers[:2]]
    assert reported == [
        """\
ValueError: final_result got arguments it cannot take:
  | - n: Value error, one (got 1)
Calls: final_result failed.\
""",
        """\
RuntimeError: two is no good
Calls: final_result failed.\
""",
    ]
    assert 'a secret' not in str(run.messages)
    assert 'KeyError: final_result failed with KeyError' in run.script.answers[2]
    assert 'a secret' in caplog.text


async def test_the_model_reads_the_documented_signature() -> None:
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
