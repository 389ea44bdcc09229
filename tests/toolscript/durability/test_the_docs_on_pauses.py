"""The examples of the pages on approvals and durability run, and print what the pages show."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic import TypeAdapter
from pydantic_ai import Agent, DeferredToolRequests, ModelMessagesTypeAdapter
from pydantic_ai.models.function import FunctionModel

from tests.docs import blocks, run_blocks
from tests.toolscript.scripted import Script, run_code
from toolscript import pending_calls, resolve
from toolscript.durability.call_cache import CallCache
from toolscript.durability.journal import CallEntry, Finished

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio, pytest.mark.usefixtures('without_keys')]


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Snapshots have a key, and files land in a folder of their own."""
    monkeypatch.setenv('TOOLSCRIPT_SNAPSHOT_KEY', 'the key of the docs')
    monkeypatch.chdir(tmp_path)


def model_of(script: Script) -> FunctionModel:
    return script.model


async def test_the_page_on_approvals_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names, (code, *_) = run_blocks('docs/approvals.md'), blocks('docs/approvals.md', 'text')
    agent: Agent[None, Any] = names['agent']
    model = Script([run_code(code), 'Two of three.'])
    with agent.override(model=model_of(model)):
        await names['main']()
    assert capsys.readouterr().out == snapshot("""\
refund:
  order = 17
refund:
  order = 23
refund:
  order = 42
Two of three.
""")
    assert 'PermissionError: refund was not approved' in model.answers[0]
    assert 'Calls: overdue_orders finished, refund finished (2 times), refund failed.' in model.answers[0]
    assert 'the same calls to overdue_orders, refund return their recorded results' in model.answers[0]


async def test_the_page_on_approvals_continues_elsewhere() -> None:
    requests_as_json = TypeAdapter(DeferredToolRequests)
    names, (code, *_) = run_blocks('docs/approvals.md'), blocks('docs/approvals.md', 'text')
    agent: Agent[None, Any] = names['agent']
    model = Script([run_code(code)])
    with agent.override(model=model_of(model)):
        first = await agent.run('go')
        assert isinstance(first.output, DeferredToolRequests)
        waiting, messages = requests_as_json.dump_json(first.output), first.all_messages_json()
        requests = requests_as_json.validate_json(waiting)
        decisions = {call.tool_call_id: True for call in pending_calls(requests)}
        history = ModelMessagesTypeAdapter.validate_json(messages)
        last = await agent.run(message_history=history, deferred_tool_results=resolve(requests, decisions))
        assert last.output == 'done'
    assert model.answers == [['100% of order 17 refunded', '100% of order 23 refunded', '100% of order 42 refunded']]


async def test_the_page_on_durability_continues_after_an_interruption(tmp_path: Path) -> None:
    names = run_blocks('docs/durable.md', first=1)
    log: list[str] = []
    reached = asyncio.Event()

    async def send(to: str) -> str:
        log.append(to)
        if log == ['Ada', 'Bob']:
            reached.set()
            await asyncio.sleep(3600)
        return f'sent to {to}'

    names['tools'].tool_plain(send)
    code = """
results = []
for name in ['Ada', 'Bob', 'Cleo']:
    try:
        results.append(await send(name))
    except RuntimeError as error:
        results.append(str(error)[:14])
results
"""
    model = Script([run_code(code)])
    agent: Agent[None, Any] = names['agent']
    with agent.override(model=model_of(model)):
        first = asyncio.create_task(names['work']('write'))
        await reached.wait()
        first.cancel()
        await asyncio.wait([first])
        assert await names['work']('write') == 'done'
    assert (model.answers, log) == ([['sent to Ada', 'UnknownOutcome', 'sent to Cleo']], ['Ada', 'Bob', 'Cleo'])


def test_the_example_for_dbos_is_the_one_that_is_killed() -> None:
    imports, example = blocks('docs/durable.md')[2].split('\n\n', 1)
    killed = (Path(__file__).parent / 'dbos_process.py').read_text()
    # Its options need further capabilities.
    assert example in killed.replace(', *FURTHER', '')
    assert all(re.search(rf'import .*\b{name}\b', killed) for name in re.findall(r'\w+$', imports, re.MULTILINE))


def test_the_line_for_the_model_is_the_one_that_it_gets() -> None:
    send = CallEntry('a digest', Finished('sent'), 'send')
    lines = CallCache(earlier={'a digest': [send, send]}).advice(str)
    assert lines == [blocks('docs/durable.md', 'text')[0].strip()]
