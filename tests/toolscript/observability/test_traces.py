"""Traces of scripts: their checks, their calls, and where they continued."""

import asyncio
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai import Agent, CallDeferred, ModelMessage, ModelRetry, RunContext, capture_run_messages
from pydantic_ai.tools import DeferredToolRequests
from pydantic_ai.toolsets import AbstractToolset

from tests.text_cases import TextCase, text_cases
from tests.toolscript.observability.spans import Spans
from tests.toolscript.scripted import Script, Turn, run_code, search
from tests.toolscript.test_speculative_reads import Writer, settled
from toolscript import (
    CodeModeToolset,
    CodeOutput,
    FunctionToolset,
    MemoryStore,
    SearchableToolset,
    Snapshots,
    SpeculativeReads,
    pending_calls,
    resolve,
    script_calls,
)

pytestmark = pytest.mark.pydantic_ai

READS = {'read_only': True}
SCRIPT = 'execute_tool run_code'
SECRET = 'hunter2'


def bank() -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()

    @toolset.tool_plain
    def balance(account: int) -> int:
        """What an account holds."""
        return 10 * account

    @toolset.tool_plain
    def book(text: str) -> str:
        """Write something down."""
        return text

    @toolset.tool_plain
    def broken(password: str) -> str:
        """Always fails."""
        raise ConnectionError(f'cannot reach postgres://admin:{password}@db')

    @toolset.tool_plain
    def picky(amount: int) -> int:
        """Always wants something else."""
        raise ModelRetry(f'not {amount}, please')

    @toolset.tool_plain(requires_approval=True)
    def pay(amount: int) -> str:
        """Pay an amount."""
        return f'{amount} paid'

    @toolset.tool_plain
    def ask(question: str) -> str:
        """Ask a person."""
        raise CallDeferred

    @toolset.tool(defer_loading=True)
    def refund(ctx: RunContext[object], order: int) -> str:
        """Refund an order."""
        return f'{order} refunded'

    return toolset


async def traced(*turns: Turn, spans: Spans | None = None, include_content: bool = True, **options: Any) -> Spans:
    """The spans of a run."""
    spans = spans or Spans()
    await agent(spans, *turns, include_content=include_content).run('go', **options)
    return spans


def in_code(toolset: FunctionToolset[object]) -> CodeModeToolset[object]:
    return CodeModeToolset(SearchableToolset(toolset), snapshots=Snapshots(key='k' * 32))


def agent(
    spans: Spans, *turns: Turn, include_content: bool = True, toolset: AbstractToolset[object] | None = None
) -> Agent[object, Any]:
    """Return an agent whose model plays the turns."""
    return Agent(
        Script([*turns]).model,
        name='clerk',
        toolsets=[toolset or in_code(bank())],
        output_type=[str, DeferredToolRequests],
        capabilities=[spans.instrumentation(include_content=include_content)],
    )


async def test_the_span_of_a_script_is_below_its_call_and_contains_check_and_calls() -> None:
    spans = await traced(run_code("held = await balance(1)\nawait book(f'holds {held}')"))
    assert spans.tree() == snapshot("""\

invoke_agent clerk
  chat function:_play:
  execute_tool run_code
    run script (completed)
      check script (passed)
      execute_tool balance
      execute_tool book
  chat function:_play:
""")
    assert spans.attributes('run script', 'toolscript.', 'gen_ai.agent.name') == [
        {
            'gen_ai.agent.name': 'clerk',
            'toolscript.code': """\
held = await balance(1)
result_1 = await book(f'holds {held}')
result_1
""",
            'toolscript.fixes': (),
            'toolscript.outcome': 'completed',
            'toolscript.calls': 2,
        }
    ]


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('traces.txt')), ids=str)
async def test_each_span_of_a_script_has_its_outcome(case: TextCase) -> None:
    assert (await traced(run_code(case.given))).tree(SCRIPT) == f'\n{case.expected}\n'


async def test_spans_describe_errors_in_words() -> None:
    spans = await traced(run_code('await balance('), run_code("await broken('hunter2')"))
    check = next(span for span in spans.all if span.name == 'check script')
    assert (check.status.description or '').startswith("SyntaxError: '(' was never closed\nline 1: await balance(\n")
    events = [event.attributes or {} for span in spans.all if span.name == SCRIPT for event in span.events]
    (reported,) = [attributes for attributes in events if 'toolscript.tool' in attributes]
    assert reported['exception.message'] == 'cannot reach postgres://admin:hunter2@db'


async def test_spans_of_searches_have_their_results() -> None:
    spans = await traced(search('refund'), run_code("found = await search_tools('refund')\nawait refund(order=7)"))
    found: dict[str, Any] = {
        'toolscript.search.algorithm': 'ranked',
        'toolscript.search.found': 1,
        'toolscript.search.names': ('refund',),
    }
    assert spans.attributes('execute_tool pai_tool_search_tool', 'toolscript.') == [found]
    assert spans.attributes('execute_tool search_tools', 'toolscript.', 'gen_ai.op', 'gen_ai.tool.call.a') == [
        {
            'gen_ai.operation.name': 'execute_tool',
            'toolscript.line': 1,
            'gen_ai.tool.call.arguments': '{"query": "refund"}',
            **found,
        }
    ]


async def test_the_span_of_a_run_has_the_size_of_its_catalog() -> None:
    (reported,) = (await traced(run_code('await balance(1)'))).attributes('invoke_agent clerk', 'toolscript.')
    assert reported.pop('toolscript.catalog.tokens') > 300
    assert reported == {
        'toolscript.search.deferred': 1,
        'toolscript.search.eager': 6,
        'toolscript.search.added': True,
        'toolscript.catalog.functions': 7,
        'toolscript.catalog.shown': 6,
    }


async def test_a_paused_script_continues_in_another_trace_with_a_link_to_the_pause() -> None:
    first, second, toolset = Spans(), Spans(), in_code(bank())
    code = "import asyncio\nawait balance(1)\nawait asyncio.gather(pay(5), ask('who?'))"
    paused = await agent(first, replace(run_code(code), tool_call_id='script'), toolset=toolset).run('go')
    assert first.tree(SCRIPT) == snapshot("""\

execute_tool run_code
  run script (suspended)
    check script (passed)
    execute_tool balance
    defer_tool pay
    execute_tool ask
""")
    assert first.attributes('defer_tool pay', 'toolscript.', 'gen_ai.tool') == [
        {
            'gen_ai.tool.name': 'pay',
            'gen_ai.tool.call.id': 'script__2',
            'toolscript.line': 3,
            'gen_ai.tool.call.arguments': '{"amount": 5}',
        }
    ]
    pay, ask = [pending.tool_call_id for pending in pending_calls(paused.output)]
    results = resolve(paused.output, {pay: True, ask: 'Ada'})
    await agent(second, toolset=toolset).run(message_history=paused.all_messages(), deferred_tool_results=results)
    assert second.tree(SCRIPT) == snapshot("""\

execute_tool run_code
  resume script (completed, -> another trace)
    execute_tool pay
    outside_result ask
""")
    (link,) = second.named('resume script').links
    paused_in = first.named(SCRIPT).context
    assert paused_in is not None
    assert (link.context.trace_id, link.context.span_id) == (paused_in.trace_id, paused_in.span_id)
    attributes = second.named('resume script').attributes or {}
    assert isinstance(attributes['toolscript.waited_seconds'], float)


@dataclass
class Diary(MemoryStore):
    """A store that signals when the end of a script's first call is recorded."""

    ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def save(self, key: str, text: str, /) -> None:
        began = key in self.texts
        await super().save(key, text)
        if began and key.endswith('.1'):
            self.ended.set()


async def test_after_a_crash_recorded_calls_are_marked_as_reused_and_unknown_ones_as_refused() -> None:
    spans, store, begun, toolset = Spans(), Diary(), asyncio.Event(), FunctionToolset[object]()

    @toolset.tool_plain
    async def quick() -> str:
        return 'done'

    @toolset.tool_plain
    async def stuck() -> None:
        begun.set()
        await asyncio.Event().wait()

    async def life() -> None:
        with capture_run_messages() as messages:
            lives.append(messages)
            await agent(Spans(), run_code(code), toolset=stored).run('go')

    stored = CodeModeToolset(toolset, snapshots=Snapshots(key='k' * 32, store=store))
    code = 'import asyncio\nawait asyncio.gather(quick(), stuck(), return_exceptions=True)'
    lives: list[list[ModelMessage]] = []
    cut_off = asyncio.create_task(life())
    await begun.wait()
    await store.ended.wait()
    history = deepcopy(lives[0])
    cut_off.cancel()
    await asyncio.wait([cut_off])
    result = await agent(spans, toolset=stored).run(message_history=history)
    assert [(call.tool_name, call.reused) for call in script_calls(result.all_messages())] == [
        ('quick', True),
        ('stuck', False),
    ]
    assert spans.tree('resume script') == snapshot("""\

resume script (completed, -> another trace)
  reuse_result quick
  refuse_call stuck (error UnknownOutcome)
""")


async def test_spans_of_early_reads_are_below_the_request_and_their_results_link_to_them() -> None:
    spans, toolset = Spans(), FunctionToolset[object]()

    @toolset.tool_plain(metadata=READS)
    def balance(account: int) -> int:
        """What an account holds."""
        return 10 * account

    writer = Writer(['a = await balance(1)\n', settled, 'b = await balance(2)\n', settled, 'a + b'])
    capabilities = [spans.instrumentation(), SpeculativeReads()]
    await Agent(writer.model, name='clerk', toolsets=[in_code(toolset)], capabilities=capabilities).run('go')
    assert spans.tree() == snapshot("""\

invoke_agent clerk
  chat function::stream
    check script (passed)
    execute_tool balance
    check script (passed)
    execute_tool balance
  execute_tool run_code
    run script (completed)
      check script (passed)
      speculative_result balance (-> execute_tool balance)
      speculative_result balance (-> execute_tool balance)
  chat function::stream
""")
    assert [check.get('toolscript.speculative') for check in spans.attributes('check script', '')] == [
        True,
        True,
        None,
    ]
    assert spans.attributes('execute_tool balance', 'toolscript.', 'gen_ai.tool.call.id') == [
        {'gen_ai.tool.call.id': f'script__speculative_{number}', 'toolscript.speculative': True} for number in (1, 2)
    ]


async def test_output_from_a_script_has_a_span() -> None:
    spans = Spans()
    capabilities = [spans.instrumentation(), CodeOutput()]
    model = Script([run_code("await final_text('all done')")]).model
    clerk = Agent(model, name='clerk', toolsets=[in_code(bank())], capabilities=capabilities)
    assert (await clerk.run('go')).output == 'all done'
    assert spans.tree('run script') == snapshot("""\

run script (completed)
  check script (passed)
  give_output final_text
""")


async def test_a_cancelled_run_ends_its_spans() -> None:
    spans, toolset, begun = Spans(), FunctionToolset[object](), asyncio.Event()

    @toolset.tool_plain
    async def forever() -> None:
        begun.set()
        await asyncio.Event().wait()

    run = asyncio.create_task(agent(spans, run_code('await forever()'), toolset=in_code(toolset)).run('go'))
    await begun.wait()
    run.cancel()
    await asyncio.wait([run])
    assert run.cancelled()
    assert spans.tree(SCRIPT) == snapshot("""\

execute_tool run_code (error)
  run script (cancelled, error CancelledError)
    check script (passed)
    execute_tool forever (error)
""")


async def test_spans_without_content_reveal_no_text() -> None:
    turns = (
        search(f'refund {SECRET}'),
        run_code(f"found = await search_tools('{SECRET}')\nawait book('{SECRET}')\nawait broken('{SECRET}')"),
        run_code(f"await book('{SECRET}')\nawait balance('{SECRET}')"),
        run_code(f"await book('{SECRET}')\nawait pay(5)\n'{SECRET}'"),
    )
    spans = await traced(*turns, include_content=False)
    assert spans.tree('run script') == snapshot("""\

run script (failed, error runtime)
  check script (passed)
  execute_tool search_tools
  execute_tool book
  execute_tool broken (error)
run script (failed, error types)
  check script (refused, error types)
run script (suspended)
  check script (passed)
  reuse_result book
  defer_tool pay
""")
    reported = [
        (span.attributes, span.status.description, [event.attributes for event in span.events]) for span in spans.all
    ]
    assert SECRET not in str(reported)


@pytest.fixture
def elsewhere() -> Iterator[InMemorySpanExporter]:
    """Return the spans of an application that instruments itself and no agent."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with provider.get_tracer('application').start_as_current_span('request'):
        yield exporter
    provider.shutdown()


async def test_a_run_without_instrumentation_writes_no_spans(elsewhere: InMemorySpanExporter) -> None:
    clerk = Agent(Script([run_code("await book('one')")]).model, toolsets=[in_code(bank())])
    await clerk.run('go')
    assert elsewhere.get_finished_spans() == ()
    assert [*(getattr(trace.get_current_span(), 'attributes', None) or {})] == []
