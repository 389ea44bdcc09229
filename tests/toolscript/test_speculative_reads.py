"""Read-only calls start while the model still writes their script."""

import asyncio
import json
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from pydantic_ai import (
    Agent,
    ApprovalRequired,
    ModelMessage,
    ModelRetry,
    RunContext,
    Tool,
    ToolReturnPart,
    UsageLimitExceeded,
    UsageLimits,
)
from pydantic_ai.capabilities import AbstractCapability, HandleDeferredToolCalls, Hooks
from pydantic_ai.messages import AgentStreamEvent, ModelRequest, ToolCallPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset

from tests.text_cases import TextCase, text_cases
from tests.toolscript.approvals.conversation import approve_all
from toolscript import CodeMode, CodeModeToolset, Flows, Limits, MemoryStore, Snapshots, SpeculativeReads, ToolRule
from toolscript.agent import Agent as OwnAgent
from toolscript.scripts.speculation import SpeculationCounts
from toolscript.scripts.speculative_script import code_so_far, ends_a_line

pytestmark = pytest.mark.pydantic_ai

READS = {'read_only': True}
Piece = str | Callable[[], Awaitable[object]]
_LONG = 300
"""Seconds after which a test that waits for an event fails."""


async def settled() -> None:
    """Waits until all written text has been analysed, and all possible calls have started."""
    looking = ('PartialScript._checked', 'Speculations._planned')
    while tasks := [one for one in asyncio.all_tasks() if getattr(one.get_coro(), '__qualname__', '') in looking]:
        await asyncio.wait(tasks)


@dataclass
class Writer:
    """A model that writes one script, pauses where a piece waits, and then says 'done'."""

    pieces: Sequence[Piece]
    """Pieces of the script, and what to wait for between them."""
    then: list[Sequence[Piece]] = field(default_factory=list[Sequence[Piece]])
    """The scripts that follow."""
    name: str = 'run_code'
    before: DeltaToolCall | None = None
    """Calls in the response before the script."""
    returns: list[ToolReturnPart] = field(default_factory=list[ToolReturnPart])

    @property
    def model(self) -> FunctionModel:
        return FunctionModel(stream_function=self.stream)

    @property
    def metadata(self) -> dict[str, Any]:
        return self.returns[-1].metadata

    @property
    def calls(self) -> list[tuple[Any, ...]]:
        """The calls of the last script, and whether they started before it."""
        return [
            (call.get('arguments'), call['status'], call.get('speculative')) for call in self.metadata['tool_calls']
        ]

    async def stream(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        last = messages[-1]
        assert isinstance(last, ModelRequest)
        self.returns += [part for part in last.parts if isinstance(part, ToolReturnPart)]
        if not self.pieces:
            yield 'done'
            return
        pieces, self.pieces = self.pieces, self.then.pop(0) if self.then else ()
        if self.before:
            yield {0: self.before}
            await settled()
        yield {1: DeltaToolCall(self.name, '{"code": "', tool_call_id='script')}
        for piece in pieces:
            if isinstance(piece, str):
                yield {1: DeltaToolCall(json_args=json.dumps(piece)[1:-1])}
            else:
                await asyncio.wait_for(piece(), _LONG)
        yield {1: DeltaToolCall(json_args='"}')}


@dataclass
class Shop:
    """Tools that report when they start, and end when the test releases them."""

    log: list[str] = field(default_factory=list[str])
    begun: dict[str, asyncio.Event] = field(default_factory=dict[str, asyncio.Event])
    may_end: asyncio.Event = field(default_factory=asyncio.Event)
    now: int = 0
    """How many slow ones run."""
    most: int = 0

    def begins(self, call: str) -> Callable[[], Awaitable[object]]:
        """Waits until a call has started."""
        return self.begun.setdefault(call, asyncio.Event()).wait

    async def ends(self) -> None:
        """Releases the slow ones."""
        self.may_end.set()

    async def _called(self, call: str) -> None:
        self.log.append(call)
        self.begun.setdefault(call, asyncio.Event()).set()

    async def get(self, key: int) -> dict[str, int]:
        await self._called(f'get {key}')
        return {'id': key, 'next': key + 1}

    async def slow(self, key: int) -> int:
        await self._called(f'slow {key}')
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.log.append(f'slow {key} cancelled')
            raise
        finally:
            self.now -= 1
        return key

    async def several(self) -> list[dict[str, int]]:
        await self._called('several')
        return [{'id': 7}, {'id': 8}]

    async def fail(self, key: int) -> int:
        await self._called(f'fail {key}')
        if key < 0:
            TypeAdapter(Literal['known']).validate_python('a secret of the shop')
        raise ModelRetry('no such key')

    async def save(self, key: int) -> int:
        await self._called(f'save {key}')
        return key

    @property
    def tools(self) -> FunctionToolset[object]:
        reads: list[Callable[..., Any]] = [self.get, self.several, self.slow, self.fail]
        return FunctionToolset[object]([*(Tool(function, metadata=READS) for function in reads), self.save])


async def written(
    shop: Shop,
    *pieces: Piece,
    early: SpeculativeReads[object] | None = None,
    toolset: AbstractToolset[object] | None = None,
    capabilities: Sequence[AbstractCapability[object]] = (),
    **options: Any,
) -> Writer:
    """Return the result of a script that a model writes piece by piece."""
    writer = Writer(pieces)
    agent = Agent(
        writer.model,
        toolsets=[toolset or CodeModeToolset(shop.tools)],
        capabilities=[early or SpeculativeReads(), *capabilities],
        output_type=[str, DeferredToolRequests],
    )
    await agent.run('go', **options)
    return writer


# -- calls that start


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('early_reads.txt')), ids=str)
async def test_reads_start_before_the_script_is_complete(case: TextCase) -> None:
    shop, early = Shop(), SpeculativeReads[object]()
    code, _, rest = case.given.partition('===\n')
    answer, _, names = case.expected.partition('\n')
    log = names.split(', ')
    writer = await written(shop, code, *map(shop.begins, log), shop.ends, rest, early=early)
    assert (writer.returns[0].content, shop.log) == (json.loads(answer), log)
    assert early.counts == SpeculationCounts(started=len(log), used=len(log))
    assert [call[1:] for call in writer.calls] == [('finished', True)] * len(log)


async def test_each_early_result_is_used_once() -> None:
    shop = Shop()
    code = 'a = await get(1)\n', shop.begins('get 1'), 'for n in range(2):\n    a = await get(1)\na'
    writer = await written(shop, *code)
    assert shop.log == ['get 1'] * 3
    assert writer.calls == [({'key': 1}, 'finished', is_early) for is_early in (True, None, None)]


async def test_an_early_call_passes_the_hooks_once_and_keeps_its_timeout() -> None:
    shop, hooks, seen = Shop(), Hooks[object](), list[tuple[str, str]]()

    @hooks.on.before_tool_execute
    async def note(ctx: RunContext[object], *, call: ToolCallPart, tool_def: ToolDefinition, args: Any) -> Any:
        seen.append((call.tool_name, call.tool_call_id))
        return args

    tools = FunctionToolset[object]([Tool(shop.get, metadata=READS), Tool(shop.slow, metadata=READS, timeout=0.01)])
    code = 'a, b = await asyncio.gather(get(1), slow(2), return_exceptions=True)\n', shop.begins('slow 2')
    result = "[a['id'], type(b).__name__]"
    writer = await written(shop, *code, result, toolset=CodeModeToolset(tools), capabilities=[hooks])
    assert writer.returns[0].content == [1, 'TimeoutError']
    assert seen == [('get', 'script__speculative_1'), ('slow', 'script__speculative_2'), ('run_code', 'script')]


async def test_two_capabilities_start_a_read_once() -> None:
    shop = Shop()
    await written(shop, 'a = await get(1)\n', shop.begins('get 1'), settled, 'a', capabilities=[SpeculativeReads()])
    assert shop.log == ['get 1']


# -- calls that do not


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('no_early_reads.txt')), ids=str)
async def test_nothing_starts_early_that_may_change_something_or_is_out_of_order(case: TextCase) -> None:
    shop, early = Shop(), SpeculativeReads[object]()
    await written(shop, case.given + '\n', settled, '1', early=early)
    assert early.counts == SpeculationCounts()


def _marked(**marks: Any) -> Tool[object]:
    async def get(key: int) -> int:
        return key

    return Tool(get, **marks)


@pytest.mark.parametrize(
    ('tool', 'starts'),
    [
        (_marked(metadata=READS), 1),
        (_marked(metadata={'annotations': {'readOnlyHint': True}}), 1),
        (_marked(), 0),
        (_marked(metadata={'annotations': {'destructiveHint': True}, 'read_only': True}), 0),
        (_marked(metadata=READS, requires_approval=True), 0),
        (_marked(metadata=READS, defer_loading=True), 0),
        (_marked(metadata=READS, sequential=True), 0),
        (_marked(metadata={**READS, 'allowed_callers': 'direct'}), 0),
    ],
)
async def test_only_listed_tools_marked_as_read_only_start(tool: Tool[object], starts: int) -> None:
    shop, early = Shop(), SpeculativeReads[object]()
    other = Tool[object](shop.get, name='other', metadata=READS)
    toolset = CodeModeToolset(FunctionToolset[object]([tool, other]), snapshots=Snapshots(key='a secret of 8 bytes'))
    await written(shop, 'a = await get(1)\n', settled, early=early, toolset=toolset)
    assert early.counts.started == starts


@pytest.mark.parametrize(('mark', 'starts'), [(True, 1), (False, 0), (None, 0)])
async def test_a_rule_can_mark_tools_that_start(mark: bool | None, starts: int) -> None:
    early, tools = SpeculativeReads[object](), FunctionToolset[object]([_marked()])
    toolset = CodeModeToolset(tools, rules=[ToolRule(mark_read_only=mark, timeout=60)])
    await written(Shop(), 'a = await get(1)\n', settled, early=early, toolset=toolset)
    assert early.counts.started == starts


async def test_nothing_starts_early_with_rules_about_data() -> None:
    """A rule decides about a call when it knows the origins of its arguments."""
    shop = Shop()
    guarded = CodeModeToolset(shop.tools, flows=Flows(), snapshots=Snapshots(key='a key of the tests'))
    writer = await written(shop, 'a = await get(1)\n', settled, "a['id']", toolset=guarded)
    assert writer.calls == [({'key': 1}, 'finished', None)]


async def test_a_script_that_needs_approval_reads_nothing_before() -> None:
    shop = Shop()
    await written(shop, 'await get(1)\n', settled, toolset=CodeModeToolset(shop.tools).approval_required())
    assert shop.log == []


async def test_a_read_that_needs_approval_asks_when_the_script_makes_it() -> None:
    asked, begun = list[list[str]](), asyncio.Event()

    async def get(ctx: RunContext[object], key: int) -> int:
        if not ctx.tool_call_approved:
            begun.set()
            raise ApprovalRequired
        return key

    async def approve(ctx: RunContext[object], requests: DeferredToolRequests) -> DeferredToolResults:
        asked.append([call.tool_call_id for call in requests.approvals])
        return requests.build_results(approve_all=True)

    toolset = CodeModeToolset(FunctionToolset[object]([Tool(get, metadata=READS)]))
    capabilities = [HandleDeferredToolCalls[object](approve)]
    code = 'a = await get(1)\n', begun.wait, 'a'
    writer = await written(Shop(), *code, toolset=toolset, capabilities=capabilities)
    assert writer.returns[0].content == 1
    assert asked == [['script__1']]


@pytest.mark.parametrize('mode', ['sequential', 'parallel_ordered_events'])
async def test_nothing_starts_early_in_sequential_mode(mode: Any) -> None:
    shop, early = Shop(), SpeculativeReads[object]()
    with Agent.parallel_tool_call_execution_mode(mode):
        await written(shop, 'await get(1)\n', settled, early=early)
    assert (shop.log, early.counts.started) == (['get 1'], 0)


@pytest.mark.parametrize(
    ('name', 'arguments', 'log', 'started'),
    [('run_code', {'code': 'await get(0)\n'}, ['get 0', 'get 1'], 1), ('save', {'key': 1}, ['get 1', 'save 1'], 0)],
)
async def test_nothing_starts_after_another_call_of_the_response(
    name: str, arguments: dict[str, Any], log: list[str], started: int
) -> None:
    shop, early = Shop(), SpeculativeReads[object]()
    before = DeltaToolCall(name, json.dumps(arguments), tool_call_id='first')
    model = Writer(['await get(1)\n', settled], before=before).model
    toolset = CodeModeToolset(shop.tools, rules=[ToolRule('save', allowed_callers='direct')])
    await Agent(model, toolsets=[toolset], capabilities=[early]).run('go')
    assert (sorted(shop.log), early.counts) == (log, SpeculationCounts(started=started, used=started))


# -- bounds


async def test_the_limit_of_the_run_counts_the_calls_of_the_script() -> None:
    shop, early, limits = Shop(), SpeculativeReads[object](), UsageLimits(tool_calls_limit=3)
    code = 'calls = await asyncio.gather(get(1), get(2), get(3))\n', shop.begins('get 2'), 'len(calls)'
    with pytest.raises(UsageLimitExceeded):
        await written(shop, *code, early=early, usage_limits=limits)
    assert (shop.log, early.counts.started) == (['get 1', 'get 2'], 2)
    writer = await written(Shop(), 'a = await get(1)\nb = await get(2)\n', settled, usage_limits=limits)
    assert [call['status'] for call in writer.metadata['tool_calls']] == ['finished', 'finished']


async def test_unused_early_calls_do_not_count() -> None:
    shop, early = Shop(), SpeculativeReads[object]()
    writer = Writer(
        ['if True:\n    return 7\nawait get(1)\n', shop.begins('get 1'), 'await slow(2)\n', shop.begins('slow 2')]
    )
    agent = Agent(writer.model, toolsets=[CodeModeToolset(shop.tools)], capabilities=[early])
    result = await agent.run('go')
    assert result.usage.tool_calls == 1
    assert shop.log == ['get 1', 'slow 2', 'slow 2 cancelled']
    assert writer.metadata['unused_speculations'] == [
        {'tool': 'get', 'args': {'key': 1}, 'status': 'finished'},
        {'tool': 'slow', 'args': {'key': 2}, 'status': 'cancelled'},
    ]
    assert early.counts == SpeculationCounts(started=2, used=0)


async def test_no_more_run_at_a_time_than_the_script_may() -> None:
    shop = Shop()
    code = 'calls = await asyncio.gather(slow(1), slow(2), slow(3))\n', shop.begins('slow 2'), shop.ends, 'calls'
    toolset = CodeModeToolset(shop.tools, limits=Limits(max_concurrent_calls=2))
    writer = await written(shop, *code, toolset=toolset)
    assert (shop.log, shop.most) == (['slow 1', 'slow 2', 'slow 3'], 2)
    assert writer.returns[0].content == [1, 2, 3]


async def test_calls_of_the_script_have_priority_over_unused_early_reads() -> None:
    shop = Shop()
    code = 'if True:\n    return await get(2)\nawait slow(1)\n', shop.begins('slow 1')
    writer = await written(shop, *code, toolset=CodeModeToolset(shop.tools, limits=Limits(max_concurrent_calls=1)))
    assert shop.log == ['slow 1', 'slow 1 cancelled', 'get 2']
    assert writer.returns[0].content == {'id': 2, 'next': 3}


# -- how it ends


class _Broken(Exception):
    pass


async def test_an_interrupted_response_ends_its_early_calls() -> None:
    shop = Shop()

    async def breaks() -> None:
        raise _Broken

    with pytest.raises(_Broken):
        await written(shop, 'await slow(1)\n', shop.begins('slow 1'), breaks)
    assert shop.log == ['slow 1', 'slow 1 cancelled']


async def test_a_refused_script_ends_its_early_calls_before_the_next_request() -> None:
    shop, hooks, requests = Shop(), Hooks[object](), list[list[str]]()

    @hooks.on.before_tool_execute
    async def turn_away(ctx: RunContext[object], *, call: ToolCallPart, tool_def: ToolDefinition, args: Any) -> Any:
        if args == {'code': 'await slow(1)\n'}:
            raise ModelRetry('not now')
        return args

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        requests.append([*shop.log])
        async for piece in writer.stream(messages, info):
            yield piece

    writer = Writer(['await slow(1)\n', shop.begins('slow 1')])
    model, capabilities = FunctionModel(stream_function=stream), [SpeculativeReads[object](), hooks]
    await Agent(model, toolsets=[CodeModeToolset(shop.tools)], capabilities=capabilities).run('go')
    assert requests == [[], ['slow 1', 'slow 1 cancelled']]


async def test_a_script_that_differs_from_its_stream_uses_no_early_result() -> None:
    shop, hooks = Shop(), Hooks[object]()

    @hooks.on.before_tool_validate
    async def changed(ctx: RunContext[object], *, call: ToolCallPart, tool_def: ToolDefinition, args: Any) -> Any:
        return {'code': 'await get(2)'} if call.tool_name == 'run_code' else args

    writer = await written(shop, 'await slow(1)\n', shop.begins('slow 1'), capabilities=[hooks])
    assert shop.log == ['slow 1', 'slow 1 cancelled', 'get 2']
    assert [reported['args'] for reported in writer.metadata['unused_speculations']] == [{'key': 1}]


async def test_a_changing_call_discards_earlier_early_results() -> None:
    shop, early = Shop(), SpeculativeReads[object]()
    define = 'async def act():\n    await save(1)\n1'
    # The parameter `act` hides from a reader that the call below is another function.
    code = 'def hide(act): return act\nawait act()\na = await get(1)\n'
    writer = Writer([define], then=[[code, shop.begins('get 1'), 'a']])
    await Agent(writer.model, toolsets=[CodeModeToolset(shop.tools)], capabilities=[early]).run('go')
    assert shop.log == ['get 1', 'save 1', 'get 1']
    assert early.counts == SpeculationCounts(started=1, used=0)


@pytest.mark.parametrize('store', [None, MemoryStore()])
async def test_a_paused_script_continues_with_early_results(store: MemoryStore | None) -> None:
    shop = Shop()
    tools = FunctionToolset[object]([Tool(shop.get, metadata=READS), Tool(shop.save, requires_approval=True)])
    writer = Writer(['a = await get(1)\n', shop.begins('get 1'), "await save(a['id'])\na"])
    agent = Agent(
        writer.model,
        toolsets=[CodeModeToolset(tools, snapshots=Snapshots(key='a secret of 8 bytes', store=store))],
        capabilities=[SpeculativeReads()],
        output_type=[str, DeferredToolRequests],
    )
    first = await agent.run('go')
    assert isinstance(first.output, DeferredToolRequests)
    await agent.run(message_history=first.all_messages(), deferred_tool_results=approve_all(first.output))
    assert shop.log == ['get 1', 'save 1']
    assert writer.returns[0].content == {'id': 1, 'next': 2}


# -- every way to run an agent


async def _in_stream(agent: Agent[object, str]) -> None:
    async with agent.run_stream('go') as result:
        await result.get_output()


async def _in_steps(agent: Agent[object, str]) -> None:
    async with agent.iter('go') as run:
        async for _ in run:
            pass


async def _with_handler(agent: Agent[object, str]) -> None:
    async def see(ctx: RunContext[object], events: AsyncIterable[AgentStreamEvent]) -> None:
        async for _ in events:
            pass

    await agent.run('go', event_stream_handler=see)


@pytest.mark.parametrize(
    ('run', 'door'),
    [
        (_in_stream, 'toolset'),
        (_in_stream, 'CodeMode'),
        (_in_steps, 'Agent'),
        (_in_steps, 'prefixed'),
        (_with_handler, 'built in a step'),
    ],
)
async def test_early_reads_work_with_every_way_to_run(
    run: Callable[[Agent[object, str]], Awaitable[None]], door: str
) -> None:
    shop, early = Shop(), SpeculativeReads[object]()
    name = 'my_run_code' if door == 'prefixed' else 'run_code'
    model = Writer(['a = await get(1)\n', shop.begins('get 1'), 'a'], name=name).model
    agent: Agent[object, str]
    match door:
        case 'toolset':
            agent = Agent(model, toolsets=[CodeModeToolset(shop.tools)], capabilities=[early])
        case 'CodeMode':
            agent = Agent(model, toolsets=[shop.tools], capabilities=[early, CodeMode()])
        case 'Agent':
            tools = shop.tools.with_metadata(allowed_callers='code')
            agent = OwnAgent(model, toolsets=[tools], capabilities=[early])
        case 'built in a step':
            agent = Agent(model, toolsets=[lambda _: CodeModeToolset(shop.tools)], capabilities=[early])
        case _:
            agent = Agent(model, toolsets=[CodeModeToolset(shop.tools).prefixed('my')], capabilities=[early])
    await run(agent)
    assert (shop.log, early.counts) == (['get 1'], SpeculationCounts(started=1, used=1))


# -- the code in partial arguments


def test_arguments_may_arrive_as_an_object() -> None:
    assert code_so_far({'code': 'await get(1)\n'}) == 'await get(1)\n'
    assert code_so_far({'restart': True}) == code_so_far(None) == code_so_far('') == code_so_far('[1') == ''


@given(st.text(), st.booleans(), st.booleans(), st.booleans())
def test_the_decoded_code_is_a_prefix_of_the_code(code: str, ascii_only: bool, restart: bool, last: bool) -> None:
    given: dict[str, Any] = {'restart': restart, 'code': code} if last else {'code': code, 'restart': restart}
    try:
        text = json.dumps(given, ensure_ascii=ascii_only)
        text.encode()
    except UnicodeEncodeError:
        return
    shown, reported = '', 0
    for end in range(len(text) + 1):
        part = code_so_far(text[:end])
        assert code.startswith(part)
        assert part.startswith(shown)
        if part.count('\n') > shown.count('\n'):
            assert ends_a_line(text[:end], reported)
        shown, reported = part, end
    assert shown == code or any('\ud800' <= letter <= '\udfff' for letter in code)
