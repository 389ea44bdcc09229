"""Tools of real MCP servers, called from code."""

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot
from pydantic_ai import BinaryImage
from pydantic_ai.mcp import MCPToolset

from tests.toolscript.scripted import call, functions_text, play, run_code, search
from toolscript import CodeModeToolset, SearchableToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


async def test_awkward_names_become_python_and_find_their_way_back(workshop: MCPToolset[object]) -> None:
    code = """\
orders = await list_orders(from_='2026-01-03', class_='express')
levels = await stock_level(x_api_key='secret', filter='t')
[orders, levels, (await ledger_read())['calls']]"""
    script = await play(CodeModeToolset(workshop), run_code(code))
    assert script.answers == snapshot(
        [
            [
                [
                    {'id': 4, 'date': '2026-01-04', 'class': 'express', 'total': 42.0},
                    {'id': 6, 'date': '2026-01-06', 'class': 'express', 'total': 63.0},
                    {'id': 8, 'date': '2026-01-08', 'class': 'express', 'total': 84.0},
                ],
                {'bolt': 120, 'nut': 80},
                [
                    {'tool': 'list-orders', 'arguments': {'from': '2026-01-03', 'class': 'express'}},
                    {'tool': 'stock.level', 'arguments': {'x-api-key': 'secret', '$filter': 't'}},
                ],
            ]
        ]
    )


async def test_signatures_show_what_the_server_says(workshop: MCPToolset[object]) -> None:
    script = await play(CodeModeToolset(workshop))
    assert functions_text(script.shown[0]['run_code'].description) == snapshot('''\
# "same" is the last note on that name

ListOrdersResult = TypedDict('ListOrdersResult', {
 'id': int,
 'date': str,
 'class': str,
 'total': float,
})

class CustomerOfResult(TypedDict):
 id: int
 name: str

class RefundResult(TypedDict):
 order_id: int
 refunded: float

class CounterNextResult(TypedDict):
 value: int

class LedgerReadResult(TypedDict):
 calls: list[dict]
 most_at_once: int

async def list_orders(
 from_: str, # from: The first day. (date)
 class_: Literal['express','standard'] = ... # class: Only this class of delivery.
) -> list[ListOrdersResult]: # read-only
 """List the orders since a date."""

async def stock_level(
 x_api_key: str, # x-api-key
 filter: str = ... # $filter: Part of a name.
) -> Any: # read-only
 """Count what is in stock."""

async def customer_of(
 order_id: int # The number on the invoice. (>=1)
) -> CustomerOfResult: # read-only
 """Find the customer of an order."""

async def note(text: str) -> Any:
 """Write a note."""

async def refund(
 order_id: int, # same
 amount: float
) -> RefundResult: # destructive
 """Refund a part of an order, at most 100."""

async def counter_next() -> CounterNextResult:
 """Add one to the counter; of two calls at once, one is lost."""

async def slow_echo(text: str, seconds: float) -> Any: # read-only
 """Say the text back after a while."""

async def photo() -> Any:
 """Take a photo of the workshop."""

async def ledger_read() -> LedgerReadResult: # read-only
 """List all calls before this one, and how many slow ones ran at once."""

async def ledger_clear() -> Any: # destructive
 """Forget all calls and start counting anew."""\
''')


async def test_calls_reach_the_server_as_direct_calls_do(workshop: MCPToolset[object]) -> None:
    wanted = [
        ('customer_of', {'order_id': 3}),
        ('list-orders', {'from': '2026-01-07'}),
        ('refund', {'order_id': 3, 'amount': 20.5}),
        ('note', {'text': 'done'}),
    ]
    direct = await play(workshop, *[call(name, **arguments) for name, arguments in wanted], call('ledger.read'))
    code = """\
rows = [await customer_of(3), await list_orders('2026-01-07'), await refund(3, 20.5), await note('done')]
rows + [await ledger_read()]"""
    nested = await play(
        CodeModeToolset(workshop), call('ledger-clear'), run_code('await ledger_clear()'), run_code(code)
    )
    assert nested.answers[-1] == direct.answers


async def test_an_error_of_the_server_can_be_caught(workshop: MCPToolset[object]) -> None:
    code = """\
try:
    await refund(order_id=1, amount=500)
except RuntimeError as error:
    result = str(error)
result"""
    script = await play(CodeModeToolset(workshop), run_code(code), run_code("await stock_level(x_api_key='wrong')"))
    assert script.answers == snapshot(
        [
            'A refund of 500 exceeds the limit of 100.',
            """\
line 1: await stock_level(x_api_key='wrong')
        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
RuntimeError: The API key is wrong.
Calls: stock_level failed.\
""",
        ]
    )


async def test_gathered_calls_are_in_flight_together(workshop: MCPToolset[object]) -> None:
    code = """\
import asyncio
await asyncio.gather(*[slow_echo(text=str(n), seconds=0.1) for n in range(4)])
(await ledger_read())['most_at_once']"""
    script = await play(CodeModeToolset(workshop), run_code(code))
    assert script.answers == [4]


async def test_an_image_reaches_the_model(workshop: MCPToolset[object]) -> None:
    script = await play(CodeModeToolset(workshop), run_code('await photo()'))
    assert [type(answer) for answer in script.answers] == [BinaryImage]


async def test_deferred_tools_of_several_servers_are_found_and_used_together(
    workshop: MCPToolset[object], git_server: MCPToolset[object], repository: Path
) -> None:
    from pydantic_ai.toolsets import CombinedToolset

    everything = CombinedToolset([workshop.defer_loading(), git_server.defer_loading(['git_log'])])
    code = f"""\
log = await git_log(repo_path={str(repository)!r})
log.count('Author: '), len(await list_orders('2026-01-01'))"""
    script = await play(
        CodeModeToolset(SearchableToolset(everything)), search('commit log'), search('orders'), run_code(code)
    )
    assert [tool['name'] for tool in script.answers[0]['tools']][:1] == ['git_log']
    assert script.answers[2] == snapshot([10, 8])
