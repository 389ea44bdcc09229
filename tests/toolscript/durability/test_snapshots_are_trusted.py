"""A snapshot is taken back only as it was handed out; otherwise nothing runs."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from pydantic_ai import UserError

from tests.toolscript.approvals.conversation import KEY, Conversation, conversation
from tests.toolscript.scripted import run_code
from toolscript import FunctionToolset, MemoryStore, SnapshotKeyWarning, Snapshots, resolve
from toolscript.durability import snapshots
from toolscript.durability.script_state import ScriptState, script_key
from toolscript.durability.snapshots import KEY_VARIABLE
from toolscript_sandbox.execution.state import State

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def deliveries() -> tuple[FunctionToolset[object], list[str]]:
    log: list[str] = []
    toolset = FunctionToolset[object]()

    def deliver(what: str) -> str:
        log.append(what)
        return what

    toolset.tool_plain(requires_approval=True)(deliver)
    return toolset, log


async def paused(code: str = "await deliver('it')") -> tuple[Conversation, list[str]]:
    toolset, log = deliveries()
    talk = conversation(toolset, run_code(code))
    assert await talk.start()
    return talk, log


def run_code_id(talk: Conversation) -> str:
    return talk.requests.approvals[0].tool_call_id


async def test_approval_without_a_snapshot_is_an_error_and_never_a_second_run() -> None:
    talk, log = await paused()
    with pytest.raises(UserError) as error:
        await talk.resume(talk.requests.build_results(approve_all=True))
    assert str(error.value).replace(run_code_id(talk), 'ID') == snapshot(
        'run_code ID was approved without the snapshot of its script, so nothing was run. Build the '
        'DeferredToolResults with toolscript.resolve(requests, decisions). If only the id of the call comes back, '
        'as from a chat UI, use Snapshots(store=...).'
    )
    assert log == []


@pytest.mark.parametrize('is_changed', [False, True])
async def test_states_that_were_changed_or_swapped_between_two_chats_in_a_store_are_refused(is_changed: bool) -> None:
    store = MemoryStore()
    chats = list[tuple[Conversation, list[str]]]()
    for _ in range(2):
        toolset, log = deliveries()
        talk = conversation(toolset, run_code("await deliver('it')"), snapshots=replace(KEY, store=store))
        await talk.start()
        chats.append((talk, log))
    one, other = [key for key in store.texts if '.' not in key]
    if is_changed:
        for key, text in store.texts.items():
            store.texts[key] = text[:50] + ('A' if text[50] != 'A' else 'B') + text[51:]
    else:
        store.texts[one], store.texts[other] = store.texts[other], store.texts[one]
    for talk, log in chats:
        with pytest.raises(UserError, match=r'changed, belongs to another call or conversation.*Nothing was run\.'):
            await talk.decide(deliver=True)
        assert log == []


async def test_an_expired_snapshot_is_refused() -> None:
    toolset, log = deliveries()
    talk = conversation(toolset, run_code("await deliver('it')"), snapshots=replace(KEY, ttl=timedelta(seconds=-1)))
    await talk.start()
    with pytest.raises(UserError) as error:
        await talk.decide(deliver=True)
    assert str(error.value) == snapshot(
        'The snapshot of a paused script has expired (ttl=-1 day, 23:59:59), so nothing was run. Deny '
        'the run_code call as a whole, and the model can start again: DeferredToolResults(approvals={run_code_id: '
        'False}).'
    )
    assert log == []


async def test_a_key_may_be_changed_while_scripts_wait() -> None:
    talk, log = await paused()
    talk.snapshots = Snapshots(key='a new key')
    with pytest.raises(UserError, match='signed with another key'):
        await talk.decide(deliver=True)
    talk.snapshots = Snapshots(key='a new key', old_keys=['an older key', 'the key of the tests'])
    await talk.decide(deliver=True)
    assert log == ['it']
    assert 'older' not in repr(talk.snapshots)


async def test_without_a_key_a_process_makes_one_and_warns_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    monkeypatch.setattr(snapshots, '_generated', list[bytes]())
    with pytest.warns(SnapshotKeyWarning):
        sealed = Snapshots().seal('purpose', b'content')
    # A second warning would be an error.
    assert Snapshots().open('purpose', sealed) == b'content'
    monkeypatch.setenv(KEY_VARIABLE, 'the key of all processes')
    with pytest.raises(UserError, match=f'Every process needs the same {KEY_VARIABLE}'):
        Snapshots().open('purpose', sealed)
    assert Snapshots().open('purpose', Snapshots().seal('purpose', b'content')) == b'content'


@pytest.mark.parametrize('state', [b'', b'written by nobody', b'MONTY\x00\xff\xff'])
async def test_a_state_of_another_version_is_refused_and_the_script_can_be_denied(state: bytes) -> None:
    talk, log = await paused()
    metadata = talk.requests.metadata[run_code_id(talk)]
    purpose = script_key(talk.messages[-1].conversation_id, run_code_id(talk), "await deliver('it')")
    content = KEY.open(purpose, metadata['toolscript_snapshot'])
    script = ScriptState.from_bytes(content)
    execution = replace(State.from_bytes(script.execution), dump=state).to_bytes()
    other = replace(script, execution=execution).to_bytes()
    for changed in (other, content.replace(b'"waits"', b'"waited"')):
        metadata['toolscript_snapshot'] = KEY.seal(purpose, changed)
        with pytest.raises(UserError, match='cannot resume in this version, so nothing was run'):
            await talk.decide(deliver=True)
    metadata['toolscript_snapshot'] = KEY.seal(purpose, other)
    await talk.resume(resolve(talk.requests, {run_code_id(talk): False}))
    assert (talk.script.answers, log) == (['This script was not approved: The tool call was denied.'], [])


async def test_what_was_shown_is_what_runs() -> None:
    talk, log = await paused()
    metadata = talk.requests.metadata[run_code_id(talk)]
    metadata['toolscript_calls'][0]['args'] = {'what': 'a flower'}
    with pytest.raises(UserError) as error:
        await talk.decide(deliver=True)
    assert str(error.value).replace(run_code_id(talk), 'ID') == snapshot(
        'The decision for ID__1 does not match the pending call to deliver. Nothing was run. Decide about the '
        'calls in pending_calls(requests).'
    )
    assert log == []


async def test_a_name_that_means_another_tool_now_is_refused() -> None:
    log: list[str] = []

    def tools(*names: str) -> FunctionToolset[object]:
        toolset = FunctionToolset[object]()
        for name in names:

            def note(name: str = name) -> None:
                log.append(name)

            toolset.add_function(note, name=name, requires_approval=True)
        return toolset

    talk = conversation(tools('ship.it'), run_code('await ship_it()'))
    await talk.start()
    talk.toolset = tools('ship-it', 'ship.it')
    with pytest.raises(UserError) as error:
        await talk.decide(**{'ship.it': True})
    assert str(error.value).replace(run_code_id(talk), 'ID') == snapshot(
        'The tools have changed since run_code ID paused: ship_it() was ship.it and is ship-it. Nothing was run.'
    )
    talk.toolset = tools('other')
    with pytest.raises(UserError, match='is gone'):
        await talk.resume(resolve(talk.requests, {}))
    assert log == []


async def test_decisions_must_fit_the_calls_that_wait() -> None:
    talk, _ = await paused()
    (call,) = talk.waiting
    with pytest.raises(ValueError) as unknown:
        resolve(talk.requests, {'somebody': True})
    with pytest.raises(ValueError) as wrong:
        resolve(talk.requests, {call.tool_call_id: 'yes'})
    with pytest.raises(ValueError) as whole:
        resolve(talk.requests, {run_code_id(talk): True})
    messages = [str(error.value).replace(run_code_id(talk), 'ID') for error in (unknown, wrong, whole)]
    assert messages == [
        "No pending call has the id 'somebody'. Pending calls: ID__1.",
        "ID__1 (deliver) needs an approval: use True, False, ToolApproved or ToolDenied, not 'yes'.",
        'ID is a script. Deny it with False or ToolDenied, or decide about its calls (ID__1); got True.',
    ]


@given(st.binary(max_size=300), st.text(max_size=20))
def test_sealing_keeps_every_content(content: bytes, purpose: str) -> None:
    assert KEY.open(purpose, KEY.seal(purpose, content)) == content


@given(st.text(max_size=300))
def test_no_foreign_text_is_opened(text: str) -> None:
    with pytest.raises(UserError, match='is invalid'):
        KEY.open('a purpose', text)
