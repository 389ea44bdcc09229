"""Approvals through the adapters of chat UIs, which carry only the id of the call."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import pytest
from pydantic_ai import Agent
from pydantic_ai.tools import DeferredToolRequests
from pydantic_ai.toolsets import AbstractToolset

from tests.toolscript.approvals.chat_clients import AGUIClient, ChatClient, RequestFailed, VercelClient
from tests.toolscript.approvals.conversation import KEY
from tests.toolscript.scripted import Script, run_code, streaming
from toolscript import CodeModeToolset, FunctionToolset, MemoryStore, Snapshots

pytestmark = pytest.mark.pydantic_ai

MakeClient: TypeAlias = Callable[[Callable[[], Agent[object, Any]]], ChatClient]
every_client = pytest.mark.parametrize('client_of', [VercelClient, AGUIClient])
CODE = "a = await note('a')\nb = await sign(a)\nc = await sign(b + '!')\n[a, b, c]"


@dataclass
class Desk:
    """A server and the log of its tools."""

    codes: tuple[str, ...]
    snapshots: Snapshots
    watched: bool = False
    """Whether whole scripts need approval."""
    log: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.script = Script([run_code(code) for code in self.codes])
        self.tools = FunctionToolset[object]()
        self.tools.tool_plain(self.note)
        self.tools.tool_plain(requires_approval=True)(self.sign)

    def note(self, what: str) -> str:
        self.log.append(f'note {what}')
        return what.upper()

    def sign(self, what: str) -> str:
        self.log.append(f'sign {what}')
        return f'signed {what}'

    def agent(self) -> Agent[object, Any]:
        """Return an agent without state from earlier requests."""
        toolset: AbstractToolset[object] = CodeModeToolset(self.tools, snapshots=self.snapshots)
        if self.watched:
            toolset = toolset.approval_required(lambda ctx, tool_def, args: tool_def.name == 'run_code')
        return Agent(
            streaming(self.script), deps_type=object, output_type=[str, DeferredToolRequests], toolsets=[toolset]
        )


def desk(*codes: str, stored: bool = True, watched: bool = False) -> Desk:
    return Desk(codes, replace(KEY, store=MemoryStore()) if stored else KEY, watched)


@every_client
async def test_with_a_store_a_script_continues_and_requests_each_later_call(
    client_of: MakeClient,
) -> None:
    office = desk(CODE)
    client = client_of(office.agent)
    await client.say('go')
    assert (len(client.asked), office.log) == (1, ['note a'])
    await client.answer(True)
    assert (len(client.asked), office.log) == (1, ['note a', 'sign A'])
    await client.answer(True)
    assert office.log == ['note a', 'sign A', 'sign signed A!']
    assert (client.text, office.script.answers) == ('done', [['A', 'signed A', 'signed signed A!']])


@every_client
async def test_an_approval_covers_exactly_the_calls_that_were_shown(client_of: MakeClient) -> None:
    office = desk("import asyncio\nawait asyncio.gather(sign('a'), note('b'), sign('c'))\nawait sign('d')")
    client = client_of(office.agent)
    await client.say('go')
    assert office.log == ['note b']
    await client.answer(True)
    assert sorted(office.log) == ['note b', 'sign a', 'sign c']
    await client.answer(True)
    assert sorted(office.log) == ['note b', 'sign a', 'sign c', 'sign d']


@every_client
async def test_a_denial_ends_the_script_and_its_finished_calls_are_not_repeated(client_of: MakeClient) -> None:
    office = desk(CODE, "await note('a')")
    client = client_of(office.agent)
    await client.say('go')
    await client.answer(False, 'Not today.')
    assert (client.text, office.log) == ('done', ['note a'])
    assert office.script.answers == ['Not today.', 'A']


@every_client
async def test_without_a_store_the_error_advises_one_and_nothing_runs(client_of: MakeClient) -> None:
    office = desk(CODE, stored=False)
    client = client_of(office.agent)
    await client.say('go')
    with pytest.raises(RequestFailed, match=r'use Snapshots\(store=\.\.\.\)'):
        await client.answer(True)
    assert office.log == ['note a']


async def test_a_request_that_is_sent_twice_approves_nothing_that_appeared_in_between() -> None:
    office = desk(CODE, watched=True)
    client = VercelClient(office.agent)
    await client.say('go')
    for logged in (['note a'], ['note a', 'sign A'], ['note a', 'sign A', 'sign signed A!']):
        sent = deepcopy(client.messages)
        await client.answer(True)
        assert office.log == logged
        again = VercelClient(office.agent, client.chat_id, sent)
        await again.answer(True)
        assert (office.log, again.asked) == (logged, client.asked)
