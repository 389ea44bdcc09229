"""Handlers of pydantic-ai answer what a script asks, and the run continues."""

from typing import Any

import pytest
from pydantic_ai import RunContext, UserError
from pydantic_ai.capabilities import HandleDeferredToolCalls
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, ToolApproved
from pydantic_ai.toolsets import AbstractToolset

from tests.toolscript.approvals.conversation import Conversation, approve_all
from tests.toolscript.plans.worlds import Planned, World
from tests.toolscript.scripted import Script, Turn, run_code
from toolscript import CodeModeToolset, PendingCall, Sessions, ToolRule, pending_calls, resolve

MISPREDICTED = """
left = await pay(name='ann', amount=1)
if left == 99:
    left = await pay(name='ann', amount=left - 95)
left
"""
BOB = "await pay(name='bob', amount=1)"


def _nothing(requests: DeferredToolRequests) -> DeferredToolResults:
    return resolve(requests, {})


def _leave(requests: DeferredToolRequests) -> None:
    return None


def _deny_by_id(requests: DeferredToolRequests) -> DeferredToolResults:
    return requests.build_results(approvals={part.tool_call_id: False for part in requests.approvals})


def _deny(requests: DeferredToolRequests) -> DeferredToolResults:
    return resolve(requests, {part.tool_call_id: False for part in requests.approvals})


def _other_code(requests: DeferredToolRequests) -> DeferredToolResults:
    results = approve_all(requests)
    results.approvals = dict.fromkeys(results.approvals, ToolApproved(override_args={'code': BOB}))
    return results


class Answering(Conversation):
    """A conversation in which a handler gives one of the answers to each question about a script."""

    def __init__(self, *turns: Turn, answers: Any, asks_about_code: bool = False, **options: Any) -> None:
        self.world, self.asked, self.answers = World(), list[list[PendingCall]](), [*answers]
        self.asks_about_code = asks_about_code
        self.options: dict[str, Any] = {'plan_writes': True, **options}
        hook = HandleDeferredToolCalls[object](self._handle)
        super().__init__(self.world.toolset, Script([*turns]), capabilities=[hook])

    def _handle(self, ctx: RunContext[object], requests: DeferredToolRequests) -> DeferredToolResults | None:
        if all(part.tool_name != 'run_code' for part in requests.approvals):
            return None
        self.asked.append(pending_calls(requests))
        return self.answers.pop(0)(requests)

    def code_mode(self) -> AbstractToolset[object]:
        toolset = CodeModeToolset(self.toolset, snapshots=self.snapshots, **self.options)
        return toolset.approval_required() if self.asks_about_code else toolset


async def test_a_script_asks_again_in_the_same_step() -> None:
    talk = Answering(run_code(MISPREDICTED), answers=[approve_all, approve_all])
    assert await talk.start() == []
    assert (talk.script.answers, talk.world.log) == ([95], [('pay', 'ann', 1), ('pay', 'ann', 4)])
    assert [calls[0].args for calls in talk.asked] == [{'name': 'ann', 'amount': 1}, {'name': 'ann', 'amount': 4}]


async def test_each_call_asks_without_a_plan() -> None:
    code = "await pay(name='ann', amount=1)\nawait pay(name='ann', amount=1)\nawait pay(name='ann', amount=1)"
    rules = [ToolRule('pay', requires_approval=True)]
    talk = Answering(run_code(code), answers=[approve_all] * 3, plan_writes=False, rules=rules)
    assert await talk.start() == []
    assert (talk.script.answers, len(talk.asked)) == ([97], 3)


async def test_a_script_whose_code_was_approved_asks_about_its_plan_too() -> None:
    talk = Answering(run_code(BOB), answers=[approve_all, approve_all], asks_about_code=True)
    assert await talk.start() == []
    assert (talk.script.answers, [calls[0].tool_name for calls in talk.asked]) == ([49], ['run_code', 'pay'])


async def test_scripts_of_one_step_ask_one_after_the_other() -> None:
    talk = Answering([run_code(MISPREDICTED), run_code(BOB)], answers=[approve_all] * 3)
    assert await talk.start() == []
    assert talk.script.answers == [95, 49]
    assert [[call.args['name'] for call in calls][:1] for calls in talk.asked] == [['ann'], ['ann'], ['bob']]


@pytest.mark.parametrize('answers', [[_nothing], [_leave], [approve_all, _leave], [approve_all, _nothing]])
async def test_a_question_that_is_left_open_is_not_repeated_and_waits_for_the_next_run(answers: Any) -> None:
    talk = Answering(run_code(MISPREDICTED), answers=answers)
    waiting = await talk.start()
    assert (len(talk.asked), len(talk.world.log)) == (len(answers), len(answers) - 1)
    talk.answers = [approve_all] * 2
    assert waiting
    assert await talk.decide(pay=True) == []
    assert talk.world.log == [('pay', 'ann', 1), ('pay', 'ann', 4)]


@pytest.mark.parametrize('deny', [_deny_by_id, _deny])
@pytest.mark.parametrize('before', [[], [approve_all]])
async def test_a_denied_script_ends_and_the_next_one_has_the_stored_variables(deny: Any, before: Any) -> None:
    answers = [*before, deny, approve_all]
    scripts = [run_code('x = 5'), run_code(MISPREDICTED), run_code(f'{BOB}\ny = 6'), run_code('x, y')]
    talk = Answering(*scripts, answers=answers, sessions=Sessions())
    assert await talk.start() == []
    assert talk.world.log == [*[('pay', 'ann', 1)][: len(before)], ('pay', 'bob', 1)]
    assert 'denied' in talk.script.answers[1]
    assert talk.script.answers[2:] == [6, [5, 6]]


async def test_a_preview_asks_no_handler_about_a_read() -> None:
    world, asked = World(), list[list[str]]()
    tools = world.toolset

    @tools.tool(metadata={'read_only': True})
    async def secret(ctx: RunContext[object]) -> str:
        if not ctx.tool_call_approved:
            raise ApprovalRequired
        world.log.append(('secret',))
        return 's'

    def answer(_: RunContext[object], requests: DeferredToolRequests) -> DeferredToolResults:
        asked.append([call.tool_name for call in pending_calls(requests)])
        return approve_all(requests)

    hook = HandleDeferredToolCalls[object](answer)
    talk = Planned(tools, Script([run_code("await create_issue(title='A')\nawait secret()")]), capabilities=[hook])
    assert await talk.start() == []
    assert (talk.script.answers, asked) == (['s'], [['create_issue'], ['secret']])
    assert world.log == [('create', 'A', None), ('secret',)]


async def test_other_code_cannot_continue_a_script_that_has_begun() -> None:
    talk = Answering(run_code(MISPREDICTED), answers=[approve_all, _other_code])
    with pytest.raises(UserError, match='approved with changed code'):
        await talk.start()
    assert talk.world.log == [('pay', 'ann', 1)]
