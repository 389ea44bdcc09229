"""Tools of real MCP servers, called from code."""

from pathlib import Path

import pytest
from inline_snapshot import snapshot
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
    assert script.answers == [
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


async def test_signatures_show_what_the_server_says(workshop: MCPToolset[object]) -> None:
    script = await play(CodeModeToolset(workshop))
    text = functions_text(script.shown[0]['run_code'].description)
    assert text[text.index('async def list_orders') : text.index('async def customer_of')] == snapshot('''\
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

''')
    assert '-> RefundResult: # destructive' in text


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
