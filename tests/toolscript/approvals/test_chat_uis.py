"""Approvals through the adapters of chat UIs, which carry only the id of the call."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import pytest
from pydantic_ai import Agent
from pydantic_ai.tools import DeferredToolRequests
from pydantic_ai.toolsets import AbstractToolset

from tests.toolscript.approvals.chat_clients import AGUIClient, ChatClient, RequestFailed, VercelClient
from tests.toolscript.approvals.conversation import KEY, desk
from tests.toolscript.scripted import Script, run_code, streaming
from toolscript import CodeModeToolset, MemoryStore, Snapshots

pytestmark = pytest.mark.pydantic_ai

MakeClient: TypeAlias = Callable[[Callable[[], Agent[object, Any]]], ChatClient]
every_client = pytest.mark.parametrize('client_of', [VercelClient, AGUIClient])
CODE = "a = await note('a')\nb = await sign(a)\nc = await sign(b + '!')\n[a, b, c]"


@dataclass
class Office:
    """A server and the log of its tools."""

    codes: tuple[str, ...]
    snapshots: Snapshots
    watched: bool = False
    """Whether whole scripts need approval."""

    def __post_init__(self) -> None:
        self.script = Script([run_code(code) for code in self.codes])
        self.tools, self.log = desk()

    def agent(self) -> Agent[object, Any]:
        """Return an agent without state from earlier requests."""
        toolset: AbstractToolset[object] = CodeModeToolset(self.tools, snapshots=self.snapshots)
        if self.watched:
            toolset = toolset.approval_required(lambda ctx, tool_def, args: tool_def.name == 'run_code')
        return Agent(
            streaming(self.script), deps_type=object, output_type=[str, DeferredToolRequests], toolsets=[toolset]
        )


def office_of(*codes: str, stored: bool = True, watched: bool = False) -> Office:
    return Office(codes, replace(KEY, store=MemoryStore()) if stored else KEY, watched)


@every_client
async def test_with_a_store_a_script_continues_and_requests_each_later_call(client_of: MakeClient) -> None:
    office = office_of(CODE)
    client = client_of(office.agent)
    await client.say('go')
    assert (len(client.asked), office.log) == (1, ['note a'])
    await client.answer(True)
    assert (len(client.asked), office.log) == (1, ['note a', 'sign a'])
    await client.answer(True)
    assert office.log == ['note a', 'sign a', 'sign signed a!']
    assert (client.text, office.script.answers) == ('done', [['a', 'signed a', 'signed signed a!']])


@every_client
async def test_an_approval_covers_exactly_the_calls_that_were_shown(client_of: MakeClient) -> None:
    office = office_of("import asyncio\nawait asyncio.gather(sign('a'), note('b'), sign('c'))\nawait sign('d')")
    client = client_of(office.agent)
    await client.say('go')
    assert office.log == ['note b']
    await client.answer(True)
    assert sorted(office.log) == ['note b', 'sign a', 'sign c']
    await client.answer(True)
    assert sorted(office.log) == ['note b', 'sign a', 'sign c', 'sign d']


@every_client
async def test_a_denial_ends_the_script_and_its_finished_calls_are_not_repeated(client_of: MakeClient) -> None:
    office = office_of(CODE, "await note('a')")
    client = client_of(office.agent)
    await client.say('go')
    await client.answer(False, 'Not today.')
    assert (client.text, office.log) == ('done', ['note a'])
    assert office.script.answers == ['Not today.', 'a']


@every_client
async def test_without_a_store_the_error_advises_one_and_nothing_runs(client_of: MakeClient) -> None:
    office = office_of(CODE, stored=False)
    client = client_of(office.agent)
    await client.say('go')
    with pytest.raises(RequestFailed, match=r'use Snapshots\(store=\.\.\.\)'):
        await client.answer(True)
    assert office.log == ['note a']


async def test_a_request_that_is_sent_twice_approves_nothing_that_appeared_in_between() -> None:
    office = office_of(CODE, watched=True)
    client = VercelClient(office.agent)
    await client.say('go')
    for logged in (['note a'], ['note a', 'sign a'], ['note a', 'sign a', 'sign signed a!']):
        sent = deepcopy(client.messages)
        await client.answer(True)
        assert office.log == logged
        again = VercelClient(office.agent, client.chat_id, sent)
        await again.answer(True)
        assert (office.log, again.asked) == (logged, client.asked)
