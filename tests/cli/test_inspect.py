"""`toolscript inspect`."""

import json
from typing import Any

from typer.testing import CliRunner, Result

from toolscript.cli.app import app

SHOP = 'tests.cli.shop'
WAREHOUSE = 'tests.cli.warehouse'


def test_a_small_toolset_is_printed_completely() -> None:
    output = _inspect(f'{SHOP}:tools').stdout
    assert 'async def orders_of(customer_id: int, newest: bool = False) -> list[Order]:' in output
    assert 'user: Hello.' in output
    assert max(map(len, output.splitlines())) <= 80


def test_many_tools_are_deferred_and_one_is_found() -> None:
    data = _json(f'{WAREHOUSE}:many')
    first, second = data['requests']
    assert not any('look_up_0(' in tool for tool in first['tools'])
    assert any('async def look_up_0(' in tool for tool in second['tools'])
    assert data['discovery']['tool'] == 'look_up_0'
    assert data['discovery']['change']['section'] == 'tools'
    assert 0 < data['discovery']['read_again'] < 1000
    tool = data['tools'][0]
    tokens, costs = tool['signature_tokens'], data['discovery']['read_again']
    assert tool['defer_below'] == tokens / (tokens + costs)


def test_example_prompts_show_the_tools_that_they_find() -> None:
    data = _json(f'{WAREHOUSE}:many', '--prompt', 'look_up_7')
    assert any('async def look_up_7(' in tool for tool in data['requests'][0]['tools'])


def test_an_agent_is_inspected_as_configured() -> None:
    data = _json(f'{SHOP}:agent')
    assert [json.loads(tool)['name'] for tool in data['requests'][0]['tools']] == ['run_code']
    assert [tool['name'] for tool in data['tools']] == ['orders_of', 'label', 'refund', 'broken', 'interrupt', 'photo']
    assert [tool['needs_approval'] for tool in data['tools']] == [False, False, True, False, False, False]


def test_flow_rules_are_listed_with_the_tools_that_they_match() -> None:
    output = _inspect(f'{SHOP}:followed', '--brief').stdout
    assert (
        'Data-flow rules\n───────────────\n'
        'refuse: from orders_of to percent of refund\n'
        'ask: from no tool to all arguments of orders_of, label, refund, broken,\n'
        '  interrupt, photo\n'
    ) in output
    [rule] = _json(f'{SHOP}:followed_tools')['flows']
    assert rule == {'then': 'refuse', 'sources': ['orders_of'], 'sinks': ['refund'], 'arguments': ['percent']}
    assert _json(f'{SHOP}:agent')['flows'] == []
    assert 'Data-flow rules' not in _inspect(f'{SHOP}:agent').stdout


def test_with_strict_a_warning_exits_with_one() -> None:
    assert _inspect(f'{WAREHOUSE}:odd', '--brief').exit_code == 0
    assert _inspect(f'{WAREHOUSE}:odd', '--brief', '--strict').exit_code == 1


def _inspect(*arguments: str) -> Result:
    return CliRunner().invoke(app, ['inspect', *arguments])


def _json(*arguments: str) -> dict[str, Any]:
    return json.loads(_inspect(*arguments, '--json').stdout)
