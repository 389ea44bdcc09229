"""The examples of the pages run, print the documented output, and do what the text says."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from opentelemetry.sdk.trace import ReadableSpan
from pydantic import TypeAdapter
from pydantic_ai import Agent, DeferredToolRequests, ModelMessagesTypeAdapter

from examples.traces.returns_desk import record
from tests.docs import ROOT, blocks, run_block, run_blocks
from tests.toolscript.approvals.conversation import approve_all
from tests.toolscript.history.shop import plain
from tests.toolscript.scripted import Script, run_code, streaming
from toolscript import ToolSearchConfig
from toolscript.durability.call_cache import CallCache
from toolscript.durability.journal import CallEntry, Finished
from toolscript.history import Bounds
from toolscript.observability.events import MAX_EVENTS
from toolscript.observability.script_calls import MAX_CHARS, ROOM

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.usefixtures('without_keys')]


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Snapshots have a key, and files are in a separate folder."""
    monkeypatch.setenv('TOOLSCRIPT_SNAPSHOT_KEY', 'the key of the docs')
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'agent.yaml').write_text(blocks('docs/discovery.md', 'yaml')[0])


async def test_the_example_of_the_page_on_approvals_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names, (code, *_) = run_blocks('docs/approvals.md'), blocks('docs/approvals.md', 'text')
    agent: Agent[None, Any] = names['agent']
    model = Script([run_code(code), 'Two of three.'])
    with agent.override(model=model.model):
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


async def test_the_example_of_the_page_on_approvals_continues_elsewhere() -> None:
    requests_as_json = TypeAdapter(DeferredToolRequests)
    names, (code, *_) = run_blocks('docs/approvals.md'), blocks('docs/approvals.md', 'text')
    agent: Agent[None, Any] = names['agent']
    model = Script([run_code(code)])
    with agent.override(model=model.model):
        first = await agent.run('go')
        assert isinstance(first.output, DeferredToolRequests)
        waiting, messages = requests_as_json.dump_json(first.output), first.all_messages_json()
        decisions = approve_all(requests_as_json.validate_json(waiting))
        history = ModelMessagesTypeAdapter.validate_json(messages)
        last = await agent.run(message_history=history, deferred_tool_results=decisions)
        assert last.output == 'done'
    assert model.answers == [['100% of order 17 refunded', '100% of order 23 refunded', '100% of order 42 refunded']]


async def test_the_example_of_the_page_on_durability_continues_after_an_interruption(tmp_path: Path) -> None:
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
    with agent.override(model=model.model):
        first = asyncio.create_task(names['work']('write'))
        await reached.wait()
        first.cancel()
        await asyncio.wait([first])
        assert await names['work']('write') == 'done'
    assert (model.answers, log) == ([['sent to Ada', 'UnknownOutcome', 'sent to Cleo']], ['Ada', 'Bob', 'Cleo'])


def test_the_example_for_dbos_is_the_one_of_the_kill_test() -> None:
    imports, example = blocks('docs/durable.md')[2].split('\n\n', 1)
    killed = (Path(__file__).parent / 'durability' / 'dbos_lab.py').read_text()
    # Each of its processes creates the agent again; its options need further capabilities.
    killed = killed.replace(', *[further[one] for one in further if one == life.option]', '').replace(
        'clerk.run(', 'agent.run('
    )
    lines = {line.strip() for line in example.splitlines()} - {'agent = Agent(', 'model,', '@DBOS.workflow()'}
    assert [line for line in lines if line not in killed] == []
    assert all(re.search(rf'import .*\b{name}\b', killed) for name in re.findall(r'\w+$', imports, re.MULTILINE))


def test_the_documented_line_for_the_model_is_the_real_one() -> None:
    send = CallEntry('a digest', Finished('sent'), 'send')
    lines = CallCache(earlier={'a digest': [send, send]}).advice(str)
    assert lines == [blocks('docs/durable.md', 'text')[0].strip()]


# -- the examples of the page on discovery

PYTHON = blocks('docs/discovery.md')


def run(example: str) -> dict[str, Any]:
    names: dict[str, Any] = {'__name__': 'page'}
    run_block(example, names)
    return names


async def test_a_deferred_toolset_hides_all_but_loaded_tools() -> None:
    names = run(PYTHON[0])
    script = Script([])
    await Agent(script.model, toolsets=[names['searchable']]).run('go')
    assert list(script.shown[0]) == ['balance', 'pai_tool_search_tool']


async def test_tools_that_the_prompt_finds_are_shown_in_the_first_request() -> None:
    names = run(PYTHON[0] + PYTHON[1])
    for agent, tools in ((names['direct'], ['pai_tool_search_tool', 'refund_payment']), (names['code'], ['run_code'])):
        script = Script([])
        with agent.override(model=script.model):
            await agent.run('Refund the payment P-7, please.')
        assert [name for name in script.shown[0] if name in tools] == tools
    assert 'async def refund_payment(payment_id: str)' in (script.shown[0]['run_code'].description or '')


def test_settings_are_read_from_a_file() -> None:
    pytest.importorskip('yaml')
    names = run(PYTHON[2])
    eager = {'github': ['search_*', 'get_issue']}
    assert names['config'] == ToolSearchConfig(enabled=True, strategy='bm25', eager_tools=eager)
    assert isinstance(names['agent'], Agent)


# -- the example of the page on reading runs


@pytest.mark.usefixtures('loop', 'without_keys')
def test_the_example_gives_the_documented_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_blocks('docs/reading.md')
    (shown,) = blocks('docs/reading.md', 'text')[:1]
    assert plain(capsys.readouterr().out).strip() == plain(shown).strip()
    assert '<h1>The shop</h1>' in (tmp_path / 'run.html').read_text()


def test_the_bounds_of_rendered_text_are_those_on_the_page() -> None:
    bounds = Bounds()
    first = bounds.requests // 4
    reported = [f'{bounds.chars:,} characters are', f'{bounds.calls} calls', f'{bounds.parts} parts']
    reported += [f'first {first} and the last {bounds.requests - first}', f'{bounds.all_chars:,} characters']
    page = (ROOT / 'docs' / 'reading.md').read_text()
    assert [one for one in reported if one not in page] == []


# -- the pages on watching and on traces are complete


async def test_the_examples_of_the_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    names = run_blocks('docs/watching.md')
    agent: Agent[None, str] = names['agent']
    with agent.override(model=streaming(Script([run_code('[await stock(n) for n in (1, 2)]')]))):
        await names['main']()
    assert capsys.readouterr().out == snapshot("""\
line 1: stock {'article': 1}
stock finished: 3
line 1: stock {'article': 2}
stock finished: 6
stock({'article': 1}) gave 3 to line 1
stock({'article': 2}) gave 6 to line 1
""")


def test_the_bounds_are_those_on_the_page() -> None:
    reported = [f'{MAX_EVENTS:,} events', f'{ROOM:,} characters', f'{MAX_CHARS:,} characters']
    page = (ROOT / 'docs' / 'watching.md').read_text()
    assert [one for one in reported if one not in page] == []


DOCS = ROOT / 'docs'
PAGE = (DOCS / 'traces.md').read_text()


@pytest.fixture(scope='module')
def spans() -> Sequence[ReadableSpan]:
    return asyncio.run(record())


def test_every_kind_of_span_is_on_the_page(spans: Sequence[ReadableSpan]) -> None:
    reported = {name.partition(' ')[0] for name in re.findall(r'^\| `([a-z_]+ [^`]+)` \|', PAGE, re.MULTILINE)}
    emitted = {span.name.partition(' ')[0] for span in spans}
    assert emitted - {'invoke_agent', 'chat'} <= reported


def test_every_attribute_of_toolscript_is_on_the_page(spans: Sequence[ReadableSpan]) -> None:
    words = re.findall(r'`([a-z_.]+)`', PAGE)
    keys = {key for span in spans for key in span.attributes or {} if key.startswith('toolscript.')}
    assert {key for key in keys if key not in words and f'.{key.rpartition(".")[2]}' not in words} == set()
