"""A script as a whole may need approval, beside the calls in it, and neither approval stands for the other."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, RunContext, UserError
from pydantic_ai.capabilities import AbstractCapability, Hooks
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, ToolApproved, ToolDefinition, ToolDenied
from pydantic_ai.toolsets import AbstractToolset

from tests.toolscript.approvals.conversation import KEY, Conversation
from tests.toolscript.scripted import Script, run_code
from toolscript import CodeMode, CodeModeToolset, FunctionToolset, MemoryStore, pending_calls, resolve

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

Tools: TypeAlias = AbstractToolset[object]
CODE = "a = await note('a')\nb = await sign(a)\n[a, b]"


def desk() -> tuple[FunctionToolset[object], list[str]]:
    log: list[str] = []
    toolset = FunctionToolset[object]()

    def note(what: str) -> str:
        log.append(f'note {what}')
        return what.upper()

    def sign(what: str) -> str:
        log.append(f'sign {what}')
        return f'signed {what}'

    toolset.tool_plain(note)
    toolset.tool_plain(requires_approval=True)(sign)
    return toolset, log


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


def by_resolve(requests: DeferredToolRequests) -> DeferredToolResults:
    return resolve(requests, {call.tool_call_id: True for call in pending_calls(requests)})


def by_build_results(requests: DeferredToolRequests) -> DeferredToolResults:
    return requests.build_results(approve_all=True)


def plainly(requests: DeferredToolRequests) -> DeferredToolResults:
    return DeferredToolResults(approvals={part.tool_call_id: True for part in requests.approvals})


every_approval = pytest.mark.parametrize('approve', [by_resolve, by_build_results, plainly])


def watched(
    *codes: str, watch: Callable[[Watched], Agent[object, Any]] = by_toolset, stored: bool = False
) -> tuple[Watched, list[str]]:
    toolset, log = desk()
    snapshots = replace(KEY, store=MemoryStore()) if stored else KEY
    return Watched(toolset, Script([run_code(code) for code in codes]), snapshots, watch=watch), log


@pytest.mark.parametrize(
    ('watch', 'approve', 'stored'),
    [
        (by_toolset, by_resolve, False),
        (by_toolset, by_build_results, True),
        (by_kind, plainly, False),
        (by_kind, by_resolve, True),
        (by_hook, by_build_results, False),
        (by_hook_around_the_capability, plainly, True),
    ],
)
async def test_the_script_is_shown_and_approved_and_its_calls_are_asked_for_as_before(
    watch: Callable[[Watched], Agent[object, Any]], approve: Approve, stored: bool
) -> None:
    talk, log = watched(CODE, watch=watch, stored=stored)
    (whole,) = await talk.start()
    assert (whole.tool_name, whole.args, whole.kind, whole.script_id) == ('run_code', {'code': CODE}, 'approval', None)
    assert log == []
    (nested,) = await talk.resume(approve(talk.requests))
    assert (nested.tool_name, nested.args, nested.script_id) == ('sign', {'what': 'A'}, whole.tool_call_id)
    assert log == ['note a']
    assert await talk.resume(by_resolve(talk.requests)) == []
    assert (talk.script.answers, log) == ([['A', 'signed A']], ['note a', 'sign A'])


@pytest.mark.parametrize('watch', [by_toolset, by_kind, by_hook, by_hook_around_the_capability])
async def test_a_script_that_is_not_approved_does_nothing(watch: Callable[[Watched], Agent[object, Any]]) -> None:
    talk, log = watched(CODE, "await note('b')", watch=watch, stored=True)
    (whole,) = await talk.start()
    (second,) = await talk.resume(resolve(talk.requests, {whole.tool_call_id: ToolDenied('Not today.')}))
    assert (talk.script.answers, second.args, log) == (['Not today.'], {'code': "await note('b')"}, [])
    await talk.resume(plainly(talk.requests))
    assert (talk.script.answers[1:], log) == (['B'], ['note b'])


@every_approval
async def test_what_was_approved_as_a_whole_is_not_approved_call_by_call(approve: Approve) -> None:
    talk, log = watched(CODE)
    await talk.start()
    whole = approve(talk.requests)
    await talk.resume(whole)
    with pytest.raises(UserError, match='approved without the snapshot'):
        await talk.resume(whole)
    assert log == ['note a']
    await talk.resume(by_resolve(talk.requests))
    assert log == ['note a', 'sign A']


@every_approval
async def test_an_approval_that_was_given_before_the_script_began_is_asked_for_again_with_a_store(
    approve: Approve,
) -> None:
    talk, log = watched(CODE, stored=True)
    await talk.start()
    history, whole = talk.history, approve(talk.requests)
    asked = await talk.resume(whole)
    talk.history = history
    assert await talk.resume(whole) == asked
    assert log == ['note a']
    await talk.resume(by_resolve(talk.requests))
    assert log == ['note a', 'sign A']


@with_and_without_a_store
async def test_changed_code_is_what_runs_before_and_after_a_pause(stored: bool) -> None:
    talk, log = watched(CODE, stored=stored)
    (whole,) = await talk.start()
    changed = {'code': "b = await sign('changed')\nawait note(b)"}
    (nested,) = await talk.resume(resolve(talk.requests, {whole.tool_call_id: ToolApproved(override_args=changed)}))
    assert nested.args == {'what': 'changed'}
    await talk.resume(by_resolve(talk.requests))
    assert (talk.script.answers, log) == (['SIGNED CHANGED'], ['sign changed', 'note signed changed'])


@with_and_without_a_store
async def test_code_is_not_changed_once_the_script_has_begun(stored: bool) -> None:
    talk, log = watched(CODE, stored=stored)
    await talk.start()
    await talk.resume(plainly(talk.requests))
    results = by_resolve(talk.requests)
    (run_code_id,) = results.approvals
    results.approvals[run_code_id] = ToolApproved(override_args={'code': "await note('x')"})
    with pytest.raises(UserError) as error:
        await talk.resume(results)
    assert str(error.value).replace(run_code_id, 'ID') == snapshot(
        'run_code ID was approved with changed code, but its script has begun, so nothing was run. Approve it as it is, or deny it, and the model can write another one.'
    )
    assert log == ['note a']


@with_and_without_a_store
async def test_several_scripts_of_one_turn_are_approved_and_run_in_turn(stored: bool) -> None:
    talk, log = watched(stored=stored)
    talk.script.turns.append([run_code(CODE), run_code('await sign(b)')])
    assert [call.tool_name for call in await talk.start()] == ['run_code', 'run_code']
    assert [call.args for call in await talk.resume(plainly(talk.requests))] == [{'what': 'A'}]
    assert [call.args for call in await talk.resume(by_resolve(talk.requests))] == [{'what': 'signed A'}]
    await talk.resume(by_resolve(talk.requests))
    assert log == ['note a', 'sign A', 'sign signed A']


async def test_a_whole_script_continues_after_a_crash_with_the_same_approval() -> None:
    talk, log = watched(CODE, stored=True)
    await talk.start()
    history, whole = talk.history, plainly(talk.requests)
    await talk.resume(whole)
    results = by_resolve(talk.requests)
    await talk.resume(results)
    talk.history = history
    # Nothing of what came after the first approval was kept but the store.
    assert await talk.resume(whole) == []
    assert (talk.script.answers, log) == ([['A', 'signed A']] * 2, ['note a', 'sign A'])
