"""A script stops at a call that needs a decision and continues exactly there."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import Any, TypeAlias

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel
from pydantic_ai import Agent, BinaryContent, BinaryImage, ModelRetry, RunContext, ToolReturn, UserError
from pydantic_ai.capabilities import AbstractCapability, HandleDeferredToolCalls, Hooks
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, ToolApproved, ToolDefinition, ToolDenied
from pydantic_ai.toolsets import AbstractToolset

from tests.toolscript.approvals.conversation import KEY, Conversation, approve_all, approved, conversation, desk
from tests.toolscript.scripted import Script, run_code
from toolscript import ApproveCalls, CodeMode, CodeModeToolset, FunctionToolset, MemoryStore, resolve

pytestmark = pytest.mark.pydantic_ai


class Wood(BaseModel):
    kind: str
    rings: tuple[int, ...]


class Shop:
    """A toolset, and the log of its calls."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.toolset = FunctionToolset[object](metadata={'server': 'shop'})
        self.toolset.tool_plain(self.price)
        self.toolset.tool_plain(requires_approval=True)(self.order)
        self.toolset.tool(self.refund)
        self.toolset.tool_plain(self.ask_supplier)

    def price(self, item: str) -> int:
        self.log.append(f'price {item}')
        return len(item)

    def order(self, item: str, count: int = 1) -> str:
        self.log.append(f'order {count} {item}')
        return f'{count} {item} ordered'

    def refund(self, ctx: RunContext[object], amount: int) -> str:
        if amount > 100 and not ctx.tool_call_approved:
            raise ApprovalRequired({'reason': f'{amount} is much'})
        self.log.append(f'refund {amount} {ctx.tool_call_metadata}')
        return f'{amount} refunded'

    def ask_supplier(self, question: str) -> Any:
        self.log.append(f'asked {question}')
        raise CallDeferred({'ticket': 7})


@pytest.fixture
def shop() -> Shop:
    return Shop()


async def test_a_script_resumes_at_the_approved_call(shop: Shop) -> None:
    talk = conversation(
        shop.toolset, run_code("p = await price('bolt')\nreceipt = await order('bolt', count=p)\n[p, receipt]")
    )
    (waiting,) = await talk.start()
    assert (waiting.tool_name, waiting.args, waiting.kind, waiting.server) == snapshot(
        ('order', {'item': 'bolt', 'count': 4}, 'approval', 'shop')
    )
    assert shop.log == ['price bolt']
    assert await talk.decide(order=True) == []
    assert (talk.script.answers, shop.log) == ([[4, '4 bolt ordered']], ['price bolt', 'order 4 bolt'])


async def test_all_waiting_calls_of_a_gather_are_requested_at_once_and_finished_ones_kept(shop: Shop) -> None:
    talk = conversation(
        shop.toolset,
        run_code("import asyncio\nawait asyncio.gather(order('a'), price('bb'), order('c'), refund(500), refund(5))"),
    )
    waiting = await talk.start()
    assert [(call.tool_name, call.args, call.metadata) for call in waiting] == snapshot(
        [
            ('order', {'item': 'a'}, None),
            ('order', {'item': 'c'}, None),
            ('refund', {'amount': 500}, {'reason': '500 is much'}),
        ]
    )
    assert await talk.decide(order=True, refund=True) == []
    assert talk.script.answers == snapshot([['1 a ordered', 2, '1 c ordered', '500 refunded', '5 refunded']])
    assert sorted(shop.log) == ['order 1 a', 'order 1 c', 'price bb', 'refund 5 None', 'refund 500 None']


async def test_a_denial_can_be_caught_in_the_script(shop: Shop) -> None:
    talk = conversation(
        shop.toolset,
        run_code("try:\n    r = await order('bolt')\nexcept PermissionError as e:\n    r = str(e)\nr"),
        run_code("await order('nut')"),
    )
    await talk.start()
    await talk.decide(order=ToolDenied('Too dear.'))
    await talk.decide(order=False)
    caught, uncaught = talk.script.answers
    assert caught == 'order was not approved: Too dear.'
    assert 'PermissionError: order was not approved: The tool call was denied.' in uncaught
    assert shop.log == []


async def test_an_approval_with_changed_arguments_runs_the_changed_call(shop: Shop) -> None:
    talk = conversation(shop.toolset, run_code("await order('bolt', count=100)"))
    await talk.start()
    await talk.decide(order=ToolApproved(override_args={'item': 'bolt', 'count': 2}))
    assert talk.script.answers == ['2 bolt ordered']


async def test_an_external_result_is_returned_in_the_script(shop: Shop) -> None:
    talk = conversation(shop.toolset, run_code("answer = await ask_supplier('when?')\nanswer['days'] * 2"))
    (waiting,) = await talk.start()
    assert (waiting.kind, waiting.metadata) == ('external', {'ticket': 7})
    await talk.decide(ask_supplier={'days': 3})
    assert (talk.script.answers[0]['result'], shop.log) == (6, ['asked when?'])


async def test_a_call_without_an_answer_keeps_waiting_and_is_not_repeated(shop: Shop) -> None:
    talk = conversation(
        shop.toolset, run_code("import asyncio\nawait asyncio.gather(ask_supplier('a'), ask_supplier('b'))")
    )
    first, second = await talk.start()
    (left,) = await talk.resume(resolve(talk.requests, {second.tool_call_id: 'B'}))
    assert left == first
    await talk.decide(ask_supplier='A')
    assert (talk.script.answers, sorted(shop.log)) == ([['A', 'B']], ['asked a', 'asked b'])


@pytest.mark.parametrize(
    ('given', 'seen'),
    [
        (ModelRetry('ask again'), 'RuntimeError: ask again'),
        (ToolDenied('no'), 'PermissionError: ask_supplier was not approved: no'),
        (ToolReturn('yes', metadata={'by': 'phone'}), 'yes'),
        (True, True),
        (None, None),
        (Wood(kind='oak', rings=(1, 2)), {'kind': 'oak', 'rings': [1, 2]}),
        (BinaryContent(b'\xff\xd8', media_type='image/png'), BinaryImage(b'\xff\xd8', media_type='image/png')),
    ],
)
async def test_an_external_result_may_be_a_failure(shop: Shop, given: object, seen: object) -> None:
    code = "try:\n    r = await ask_supplier('?')\nexcept Exception as e:\n    r = f'{type(e).__name__}: {e}'\nr"
    talk = conversation(shop.toolset, run_code(code))
    await talk.start()
    await talk.decide(ask_supplier=given)
    assert talk.script.answers == [seen]


async def test_an_exception_is_refused_as_a_result_unless_it_is_for_the_model(shop: Shop) -> None:
    talk = conversation(shop.toolset, run_code("await ask_supplier('?')"))
    (call,) = await talk.start()
    with pytest.raises(ValueError) as error:
        resolve(talk.requests, {call.tool_call_id: KeyError('engaged')})
    assert str(error.value).partition(' ')[2] == snapshot(
        "(ask_supplier) needs a result, and KeyError('engaged') is not one. If there is none, use ModelRetry, ToolFailed or ToolDenied."
    )


async def test_variables_of_earlier_snippets_survive_a_pause(shop: Shop) -> None:
    talk = await approved(
        shop.toolset,
        run_code("kept = await price('screw')"),
        run_code("mine = await order('screw', count=kept)"),
        run_code('[kept, mine]'),
    )
    assert talk.script.answers == snapshot([5, '5 screw ordered', [5, '5 screw ordered']])


LOOP = "done = []\nfor n in range(5):\n    done.append(await order('bolt', count=n))\nlen(done)"


async def test_one_rule_approves_all_calls_of_a_loop(shop: Shop) -> None:
    talk = conversation(shop.toolset, run_code(LOOP), run_code("await order('nut')"))
    await talk.start()
    assert [call.args for call in await talk.decide(ApproveCalls('order'))] == [{'item': 'nut'}]
    assert (talk.script.answers, len(shop.log)) == ([5], 5)


async def test_a_rule_approves_no_more_than_it_states(shop: Shop) -> None:
    talk = conversation(shop.toolset, run_code(LOOP))
    await talk.start()
    assert [call.args['count'] for call in await talk.decide(ApproveCalls('order', at_most=3))] == [3]
    assert len(shop.log) == 3
    assert [call.args['count'] for call in await talk.decide(order=True)] == [4]


async def test_metadata_of_a_decision_reaches_the_tool(shop: Shop) -> None:
    talk = conversation(shop.toolset, run_code('await refund(200)'))
    (waiting,) = await talk.start()
    metadata: dict[str, dict[str, Any]] = {waiting.tool_call_id: {'by': 'Ada'}}
    await talk.resume(resolve(talk.requests, {waiting.tool_call_id: True}, metadata=metadata))
    assert shop.log == ["refund 200 {'by': 'Ada'}"]


@pytest.mark.skipif('kind' not in signature(CallDeferred).parameters, reason='this pydantic-ai knows no questions')
async def test_a_call_has_the_same_question_in_place_and_after_a_pause(shop: Shop) -> None:
    def ask_user(question: str) -> str:
        raise CallDeferred(kind='question')

    shop.toolset.tool_plain(ask_user)
    seen: list[str] = []

    def handle(ctx: RunContext[object], requests: DeferredToolRequests) -> DeferredToolResults | None:
        seen.extend(requests.kind(call.tool_call_id) for call in requests.calls)
        return None if len(seen) > 1 else requests.build_results(calls={requests.calls[0].tool_call_id: 'Ada'})

    talk = conversation(
        shop.toolset,
        run_code("a = await ask_user('who?')\nb = await ask_user('when?')\n[a, b]"),
        capabilities=[HandleDeferredToolCalls[object](handle)],
    )
    (waiting,) = await talk.start()
    (metadata,) = talk.requests.metadata.values()
    assert (seen, waiting.kind, metadata['toolscript_calls'][0]['kind']) == (['question'] * 2, 'question', 'question')
    await talk.decide(ask_user='today')
    assert talk.script.answers == [['Ada', 'today']]


# -- a whole script may need approval, and so may its calls; neither approval replaces the other

Tools: TypeAlias = AbstractToolset[object]
CODE = "a = await note('a')\nb = await sign(a)\n[a, b]"


@dataclass
class Watched(Conversation):
    """A conversation whose scripts need approval."""

    watch: 'Callable[[Watched], Agent[object, Any]]' = field(default=lambda self: by_toolset(self))

    @property
    def agent(self) -> Agent[object, Any]:
        return self.watch(self)


def by_toolset(talk: Watched) -> Agent[object, Any]:
    code_mode = CodeModeToolset(talk.toolset, snapshots=talk.snapshots)
    return _agent(talk, code_mode.approval_required(lambda ctx, tool_def, args: tool_def.name == 'run_code'))


def by_kind(talk: Watched) -> Agent[object, Any]:
    async def unapproved(ctx: RunContext[object], tool_defs: list[ToolDefinition]) -> list[ToolDefinition]:
        return [replace(tool_def, kind='unapproved') for tool_def in tool_defs]

    return _agent(talk, CodeModeToolset(talk.toolset, snapshots=talk.snapshots).prepared(unapproved))


def by_hook(talk: Watched) -> Agent[object, Any]:
    return _agent(talk, CodeModeToolset(talk.toolset, snapshots=talk.snapshots), _asking())


def by_hook_around_the_capability(talk: Watched) -> Agent[object, Any]:
    return _agent(talk, talk.toolset, CodeMode[object](snapshots=talk.snapshots), _asking())


def _asking() -> AbstractCapability[object]:
    hooks = Hooks[object]()

    async def ask(
        ctx: RunContext[object], /, *, call: ToolCallPart, tool_def: ToolDefinition, args: dict[str, Any]
    ) -> dict[str, Any]:
        if not ctx.tool_call_approved:
            raise ApprovalRequired({'why': 'scripts are looked at'})
        return args

    hooks.on.before_tool_execute(tools=['run_code'])(ask)
    return hooks


def _agent(talk: Watched, toolset: Tools, *capabilities: AbstractCapability[object]) -> Agent[object, Any]:
    return Agent(
        talk.script.model,
        deps_type=object,
        output_type=[str, DeferredToolRequests],
        toolsets=[toolset],
        capabilities=capabilities,
    )


with_and_without_a_store = pytest.mark.parametrize('stored', [False, True])

Approve: TypeAlias = Callable[[DeferredToolRequests], DeferredToolResults]


def by_build_results(requests: DeferredToolRequests) -> DeferredToolResults:
    return requests.build_results(approve_all=True)


def plainly(requests: DeferredToolRequests) -> DeferredToolResults:
    return DeferredToolResults(approvals={part.tool_call_id: True for part in requests.approvals})


every_approval = pytest.mark.parametrize('approve', [approve_all, by_build_results, plainly])


def watched(
    *codes: str, watch: Callable[[Watched], Agent[object, Any]] = by_toolset, stored: bool = False
) -> tuple[Watched, list[str]]:
    toolset, log = desk()
    snapshots = replace(KEY, store=MemoryStore()) if stored else KEY
    return Watched(toolset, Script([run_code(code) for code in codes]), snapshots, watch=watch), log


@pytest.mark.parametrize(
    ('watch', 'approve', 'stored'),
    [
        (by_toolset, approve_all, False),
        (by_toolset, by_build_results, True),
        (by_kind, plainly, False),
        (by_kind, approve_all, True),
        (by_hook, by_build_results, False),
        (by_hook_around_the_capability, plainly, True),
    ],
)
async def test_a_whole_script_is_approved_and_its_calls_are_still_requested(
    watch: Callable[[Watched], Agent[object, Any]], approve: Approve, stored: bool
) -> None:
    talk, log = watched(CODE, watch=watch, stored=stored)
    (whole,) = await talk.start()
    assert (whole.tool_name, whole.args, whole.kind, whole.script_id) == ('run_code', {'code': CODE}, 'approval', None)
    assert log == []
    (nested,) = await talk.resume(approve(talk.requests))
    assert (nested.tool_name, nested.args, nested.script_id) == ('sign', {'what': 'a'}, whole.tool_call_id)
    assert log == ['note a']
    assert await talk.resume(talk.approved) == []
    assert (talk.script.answers, log) == ([['a', 'signed a']], ['note a', 'sign a'])


@pytest.mark.parametrize('watch', [by_toolset, by_kind, by_hook, by_hook_around_the_capability])
async def test_a_denied_script_does_nothing(watch: Callable[[Watched], Agent[object, Any]]) -> None:
    talk, log = watched(CODE, "await note('b')", watch=watch, stored=True)
    (whole,) = await talk.start()
    (second,) = await talk.resume(resolve(talk.requests, {whole.tool_call_id: ToolDenied('Not today.')}))
    assert (talk.script.answers, second.args, log) == (['Not today.'], {'code': "await note('b')"}, [])
    await talk.resume(plainly(talk.requests))
    assert (talk.script.answers[1:], log) == (['b'], ['note b'])


@every_approval
async def test_approving_a_script_does_not_approve_its_calls(approve: Approve) -> None:
    talk, log = watched(CODE)
    await talk.start()
    whole = approve(talk.requests)
    await talk.resume(whole)
    with pytest.raises(UserError, match='approved without the snapshot'):
        await talk.resume(whole)
    assert log == ['note a']
    await talk.resume(talk.approved)
    assert log == ['note a', 'sign a']


async def test_the_approval_of_a_restarted_script_approves_none_of_its_calls() -> None:
    talk, log = watched(CODE, stored=True)
    await talk.start()
    asked = await talk.resume(talk.approved)
    # The application starts the run again, without decisions. So the script's code is shown, and not its calls.
    (whole,) = await talk.again()
    assert (whole.tool_name, log) == ('run_code', ['note a'])
    assert await talk.resume(talk.approved) == asked
    assert log == ['note a']
    await talk.resume(talk.approved)
    assert log == ['note a', 'sign a']


@every_approval
async def test_an_early_approval_is_requested_again_with_a_store(approve: Approve) -> None:
    talk, log = watched(CODE, stored=True)
    await talk.start()
    history, whole = talk.history, approve(talk.requests)
    asked = await talk.resume(whole)
    talk.history = history
    assert await talk.resume(whole) == asked
    assert log == ['note a']
    await talk.resume(talk.approved)
    assert log == ['note a', 'sign a']


@with_and_without_a_store
async def test_changed_code_runs_before_and_after_a_pause(stored: bool) -> None:
    talk, log = watched(CODE, stored=stored)
    (whole,) = await talk.start()
    changed = {'code': "b = await sign('changed')\nawait note(b)"}
    (nested,) = await talk.resume(resolve(talk.requests, {whole.tool_call_id: ToolApproved(override_args=changed)}))
    assert nested.args == {'what': 'changed'}
    await talk.resume(talk.approved)
    assert (talk.script.answers, log) == (['signed changed'], ['sign changed', 'note signed changed'])


@with_and_without_a_store
async def test_code_cannot_be_changed_after_the_script_started(stored: bool) -> None:
    talk, log = watched(CODE, stored=stored)
    await talk.start()
    await talk.resume(plainly(talk.requests))
    results = approve_all(talk.requests)
    (run_code_id,) = results.approvals
    results.approvals[run_code_id] = ToolApproved(override_args={'code': "await note('x')"})
    with pytest.raises(UserError) as error:
        await talk.resume(results)
    assert str(error.value).replace(run_code_id, 'ID') == snapshot(
        'run_code ID was approved with changed code, but its script has begun, so nothing was run. Approve it as it is, or deny it, and the model can write another one.'
    )
    assert log == ['note a']


@with_and_without_a_store
async def test_several_scripts_of_one_turn_are_approved_and_run_in_order(stored: bool) -> None:
    talk, log = watched(stored=stored)
    talk.script.turns.append([run_code(CODE), run_code('await sign(b)')])
    assert [call.tool_name for call in await talk.start()] == ['run_code', 'run_code']
    assert [call.args for call in await talk.resume(plainly(talk.requests))] == [{'what': 'a'}]
    assert [call.args for call in await talk.resume(talk.approved)] == [{'what': 'signed a'}]
    await talk.resume(talk.approved)
    assert log == ['note a', 'sign a', 'sign signed a']


async def test_an_approved_script_continues_after_a_crash_with_the_same_approval() -> None:
    talk, log = watched(CODE, stored=True)
    await talk.start()
    history, whole = talk.history, plainly(talk.requests)
    await talk.resume(whole)
    results = approve_all(talk.requests)
    await talk.resume(results)
    talk.history = history
    # Only the store survived the first approval.
    assert await talk.resume(whole) == []
    assert (talk.script.answers, log) == ([['a', 'signed a']] * 2, ['note a', 'sign a'])
