"""Rules that match by whether a tool is read-only, and rules that mark it so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent, DeferredToolRequests, Tool, UserError
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset

from tests.toolscript.scripted import Script, functions_text, play, run_code
from toolscript import CodeMode, CodeModeToolset, FunctionToolset, Snapshots, ToolRule, pending_calls

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

APPROVE_WRITES = ToolRule(read_only=False, requires_approval=True)


def tools_with(**metadata: Any) -> FunctionToolset[object]:
    toolset = FunctionToolset[object](id='desk')

    @toolset.tool_plain(metadata=metadata)
    def get_order(number: int) -> int:
        return number

    return toolset


def ruled(toolset: AbstractToolset[object], *rules: ToolRule) -> CodeModeToolset[object]:
    return CodeModeToolset(toolset, rules=rules, snapshots=Snapshots(key='k' * 32))


async def waiting(toolset: AbstractToolset[object], code: str) -> list[str] | str:
    """Names of the tools whose calls wait for an approval, or the output."""
    agent = Agent(Script([run_code(code)]).model, toolsets=[toolset], output_type=[str, DeferredToolRequests])
    output = (await agent.run('go')).output
    return output if isinstance(output, str) else [call.tool_name for call in pending_calls(output)]


@pytest.mark.parametrize(
    ('metadata', 'read_only'),
    [
        ({}, False),
        ({'read_only': True}, True),
        ({'read_only': False}, False),
        ({'idempotent': True}, False),
        ({'annotations': {'readOnlyHint': True}}, True),
        ({'annotations': {'readOnlyHint': False}}, False),
        ({'annotations': {'idempotentHint': True}}, False),
        ({'annotations': {'readOnlyHint': True}, 'read_only': False}, False),
        ({'annotations': {'readOnlyHint': True}, 'idempotent': False}, True),
        ({'annotations': {'readOnlyHint': False}, 'read_only': True}, False),
        ({'annotations': {'destructiveHint': True}, 'read_only': True}, False),
        ({'annotations': {'destructiveHint': False}}, False),
        ({'annotations': {'readOnlyHint': 'yes'}}, False),
        ({'read_only': 'yes'}, False),
    ],
)
async def test_metadata_and_hints_say_what_is_read_only_and_a_name_says_nothing(
    metadata: dict[str, Any], read_only: bool
) -> None:
    for matcher in (True, False):
        toolset = ruled(tools_with(**metadata), ToolRule(read_only=matcher, requires_approval=True))
        waits = ['get_order'] if read_only == matcher else 'done'
        assert await waiting(toolset, 'await get_order(number=1)') == waits


async def test_calls_of_real_servers_wait_unless_their_tool_or_a_mark_says_that_it_is_read_only(
    git_server: MCPToolset[object], sqlite_server: MCPToolset[object], repository: Path
) -> None:
    servers, sql = CombinedToolset([git_server, sqlite_server]), "await read_query(query='SELECT 1 AS one')"
    log = f'len(await git_log(repo_path={str(repository)!r}, max_count=1)) > 0'
    for toolset, code, waits in (
        (ruled(servers, APPROVE_WRITES), log, 'done'),
        (ruled(servers, APPROVE_WRITES), sql, ['read_query']),
        (ruled(servers, APPROVE_WRITES, ToolRule('read_query', server='*sqlite*', mark_read_only=True)), sql, 'done'),
        (ruled(servers, APPROVE_WRITES, ToolRule('git_log', mark_read_only=False)), log, ['git_log']),
    ):
        assert await waiting(toolset, code) == waits


@pytest.mark.parametrize(
    ('metadata', 'mark', 'read_only'),
    [
        ({}, True, True),
        ({'read_only': True}, False, False),
        ({'annotations': {'readOnlyHint': True}}, False, False),
        ({'annotations': {'idempotentHint': True}}, True, True),
        ({'annotations': {'readOnlyHint': False}}, True, False),
        ({'annotations': {'destructiveHint': True}}, True, False),
    ],
)
async def test_a_mark_fills_silence_and_takes_a_word_away_but_gives_none_against_the_servers(
    metadata: dict[str, Any], mark: bool, read_only: bool
) -> None:
    toolset = ruled(tools_with(**metadata), APPROVE_WRITES, ToolRule('get_*', mark_read_only=mark))
    assert await waiting(toolset, 'await get_order(number=1)') == ('done' if read_only else ['get_order'])


async def test_a_hint_that_a_server_takes_back_counts_no_longer() -> None:
    annotations = {'readOnlyHint': True}
    toolset = ruled(tools_with(annotations=annotations), APPROVE_WRITES)
    assert await waiting(toolset, 'await get_order(number=1)') == 'done'
    annotations['readOnlyHint'] = False
    assert await waiting(toolset, 'await get_order(number=1)') == ['get_order']


async def test_everything_else_sees_a_mark_too() -> None:
    runs: list[int] = []

    async def peek(number: int) -> int:
        runs.append(number)
        return number

    toolset = ruled(FunctionToolset[object]([peek]), ToolRule(mark_read_only=True), ToolRule(requires_approval=True))
    script = Script([run_code('await peek(number=1)')])
    output = (await Agent(script.model, toolsets=[toolset], output_type=[str, DeferredToolRequests]).run('go')).output
    assert isinstance(output, DeferredToolRequests)
    assert [call.read_only for call in pending_calls(output)] == [True]
    shown = functions_text(script.shown[0]['run_code'].description)
    assert shown == 'async def peek(number: int) -> int: ... # read-only'
    for mark, ran in ((True, [2, 2]), (False, [2])):
        marked = ruled(FunctionToolset[object]([peek]), ToolRule(mark_read_only=mark))
        await play(marked, run_code('await peek(number=2)\n1 / 0'), run_code('await peek(number=2)'))
        assert runs == ran
        runs.clear()


@pytest.mark.parametrize(
    ('metadata', 'runs'),
    [
        ({'idempotent': True}, 2),
        ({'idempotent': True, 'read_only': False}, 2),
        ({'idempotent': False, 'annotations': {'idempotentHint': True}}, 1),
        ({'idempotent': False, 'annotations': {'readOnlyHint': True}}, 1),
        ({'read_only': False, 'annotations': {'readOnlyHint': True, 'idempotentHint': True}}, 1),
    ],
)
async def test_metadata_and_hints_say_what_runs_again_after_a_failure(metadata: dict[str, Any], runs: int) -> None:
    orders: list[int] = []

    async def order(number: int) -> int:
        orders.append(number)
        return number

    toolset = CodeModeToolset(FunctionToolset[object]([Tool[object](order, metadata=metadata)]))
    await play(toolset, run_code('await order(number=1)\n1 / 0'), run_code('await order(number=1)'))
    assert len(orders) == runs


def test_a_spec_says_it_as_code_does() -> None:
    rules: list[dict[str, Any]] = [
        {'tools': 'get_*', 'mark_read_only': True},
        {'read_only': False, 'requires_approval': True},
    ]
    assert CodeMode[object].from_spec(rules=rules).rules == [ToolRule('get_*', mark_read_only=True), APPROVE_WRITES]


@pytest.mark.parametrize(
    ('settings', 'message'),
    [
        ({'read_only': 'yes', 'hidden': True}, "read_only of ToolRule is 'yes'; use True or False."),
        ({'mark_read_only': 1}, 'mark_read_only of ToolRule is 1; use True or False.'),
        (
            {'read_only': True, 'mark_read_only': False},
            'ToolRule(read_only=True, mark_read_only=False) has read_only and mark_read_only; write two rules.',
        ),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=f'^{re.escape(message)}$'):
        ToolRule(**settings)
