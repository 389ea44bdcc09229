"""A snapshot is accepted only unchanged; otherwise nothing runs."""

import base64
import string
import sys
import zlib
from dataclasses import replace
from datetime import timedelta
from importlib.machinery import PathFinder
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from pydantic_ai import UserError

from tests.toolscript.approvals.conversation import KEY, Conversation, conversation, desk
from tests.toolscript.lives import in_a_fork
from tests.toolscript.scripted import run_code
from toolscript import EncryptionKey, FunctionToolset, MemoryStore, SnapshotKeyWarning, Snapshots, resolve
from toolscript.durability import snapshots
from toolscript.durability.script_state import ScriptState, script_key
from toolscript.durability.snapshots import KEY_VARIABLE
from toolscript_sandbox.execution.state import State


async def paused(keys: Snapshots = KEY) -> tuple[Conversation, list[str]]:
    toolset, log = desk()
    talk = conversation(toolset, run_code("await sign('it')"), snapshots=keys)
    assert await talk.start()
    return talk, log


def run_code_id(talk: Conversation) -> str:
    return talk.requests.approvals[0].tool_call_id


async def test_an_approval_without_a_snapshot_is_an_error_and_never_runs_again() -> None:
    talk, log = await paused()
    with pytest.raises(UserError) as error:
        await talk.resume(talk.requests.build_results(approve_all=True))
    assert str(error.value).replace(run_code_id(talk), 'ID') == snapshot(
        'run_code ID was approved without the snapshot of its script, so nothing was run. Build the DeferredToolResults with toolscript.resolve(requests, decisions). If only the id of the call comes back, as from a chat UI, use Snapshots(store=...).'
    )
    assert log == []


@pytest.mark.parametrize('is_changed', [False, True])
async def test_states_that_were_changed_or_swapped_between_two_chats_are_refused(is_changed: bool) -> None:
    store = MemoryStore()
    chats = list[tuple[Conversation, list[str]]]()
    for _ in range(2):
        chats.append(await paused(replace(KEY, store=store)))
    one, other = [key for key in store.texts if '.' not in key]
    if is_changed:
        for key, text in store.texts.items():
            store.texts[key] = text[:50] + ('A' if text[50] != 'A' else 'B') + text[51:]
    else:
        store.texts[one], store.texts[other] = store.texts[other], store.texts[one]
    for talk, log in chats:
        with pytest.raises(UserError, match=r'changed, belongs to another call or conversation.*Nothing was run\.'):
            await talk.decide(sign=True)
        assert log == []


async def test_an_expired_snapshot_is_refused() -> None:
    talk, log = await paused(replace(KEY, ttl=timedelta(seconds=-1)))
    with pytest.raises(UserError) as error:
        await talk.decide(sign=True)
    assert str(error.value) == snapshot(
        'The snapshot of a paused script has expired (ttl=-1 day, 23:59:59), so nothing was run. Deny the run_code call as a whole, and the model can start again: DeferredToolResults(approvals={run_code_id: False}).'
    )
    assert log == []


@pytest.mark.parametrize('is_encrypted', [False, True])
async def test_a_key_can_be_rotated_while_scripts_wait(is_encrypted: bool) -> None:
    def keys(secret: str) -> Snapshots:
        return Snapshots(encryption_key=secret) if is_encrypted else Snapshots(key=secret)

    talk, log = await paused(keys('the key before'))
    talk.snapshots = keys('a new key')
    with pytest.raises(UserError, match='with another key'):
        await talk.decide(sign=True)
    assert log == []
    talk.snapshots = replace(talk.snapshots, old_keys=['an older key', 'the key before'])
    await talk.decide(sign=True)
    assert log == ['sign it']
    assert 'older' not in repr(talk.snapshots)


async def test_without_a_key_a_process_generates_one_and_warns_once(monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_a_conversation_continues_after_its_key_was_removed() -> None:
    toolset, log = desk()
    twos = [run_code("await note('2')\nawait fail()"), 'ok', run_code("await note('2')"), run_code("await note('2')")]
    keys = replace(KEY, store=MemoryStore())
    talk = conversation(toolset, run_code("await note('1')"), 'ok', *twos, snapshots=keys)
    await talk.start()
    for key in ('the second key', 'the third key'):
        talk.snapshots = replace(keys, key=key)
        result = await talk.agent.run('go', message_history=talk.messages)
        talk.history = result.all_messages_json()
    # What the failed script did is unknown at first.
    assert log == ['note 1', 'note 2', 'fail', 'note 2']
    assert 'UnknownOutcome: note' in talk.script.answers[2]


@pytest.mark.parametrize('state', [b'', b'written by nobody', b'MONTY\x00\xff\xff'])
async def test_a_state_of_another_version_is_refused_and_the_script_can_be_denied(state: bytes) -> None:
    talk, log = await paused()
    metadata = talk.requests.metadata[run_code_id(talk)]
    purpose = script_key(talk.messages[-1].conversation_id, run_code_id(talk), "await sign('it')")
    content = KEY.open(purpose, metadata['toolscript_snapshot'])
    script = ScriptState.from_bytes(content)
    execution = replace(State.from_bytes(script.execution), dump=state).to_bytes()
    other = replace(script, execution=execution).to_bytes()
    for changed in (other, content.replace(b'"waits"', b'"waited"')):
        metadata['toolscript_snapshot'] = KEY.seal(purpose, changed)
        with pytest.raises(UserError, match='cannot resume in this version, so nothing was run'):
            await talk.decide(sign=True)
    metadata['toolscript_snapshot'] = KEY.seal(purpose, other)
    await talk.resume(resolve(talk.requests, {run_code_id(talk): False}))
    assert (talk.script.answers, log) == (['This script was not approved: The tool call was denied.'], [])


async def test_the_code_that_was_shown_is_the_code_that_runs() -> None:
    talk, log = await paused()
    metadata = talk.requests.metadata[run_code_id(talk)]
    metadata['toolscript_calls'][0]['args'] = {'what': 'a flower'}
    with pytest.raises(UserError) as error:
        await talk.decide(sign=True)
    assert str(error.value).replace(run_code_id(talk), 'ID') == snapshot(
        'The decision for ID__1 does not match the pending call to sign. Nothing was run. Decide about the calls in pending_calls(requests).'
    )
    assert log == []


async def test_a_name_that_now_means_another_tool_is_refused() -> None:
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


async def test_names_from_before_a_restart_do_not_matter() -> None:
    def tools(*names: str) -> FunctionToolset[object]:
        toolset = FunctionToolset[object]()
        for name in names:
            toolset.add_function(lambda: 1, name=name, requires_approval=name == 'sign')
        return toolset

    talk = conversation(tools('ship.it', 'sign'), run_code('await ship_it()'), run_code('await sign()', restart=True))
    await talk.start()
    talk.toolset = tools('ship-it', 'ship.it', 'sign')
    await talk.decide(sign=True)
    assert talk.script.answers == [1, 1]


async def test_decisions_must_fit_the_waiting_calls() -> None:
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
        "ID__1 (sign) needs an approval: use True, False, ToolApproved or ToolDenied, not 'yes'.",
        'ID is a script. Deny it with False or ToolDenied, or decide about its calls (ID__1); got True.',
    ]


@given(st.text(max_size=300))
def test_no_foreign_text_is_opened(text: str) -> None:
    with pytest.raises(UserError, match='is invalid'):
        KEY.open('a purpose', text)


# -- with an encryption key, nobody who sees a snapshot, a store or a journal can read what scripts hold

SECRET = Snapshots(key='the key of the tests', encryption_key='another key of the tests')
CODE = "token = await login('Ada')\nawait sign(token)"


def talk_with(keys: Snapshots, *codes: str) -> tuple[Conversation, list[str]]:
    toolset, log = desk()

    def login(name: str) -> str:
        return f'hunter2 of {name}'

    toolset.tool_plain(login)
    return conversation(toolset, *map(run_code, codes), snapshots=keys), log


def readable(text: str) -> bytes:
    """Return all readable text in a sealed text without a key."""
    data = base64.urlsafe_b64decode(text.rpartition('.')[2] + '==')
    found = data
    for start in range(len(data)):
        try:
            found += zlib.decompressobj().decompress(data[start:])
        except zlib.error:
            continue
    return found


async def test_with_encryption_a_store_reveals_nothing_of_scripts() -> None:
    for keys, can_be_read in ((KEY, True), (SECRET, False)):
        store = MemoryStore()
        talk, log = talk_with(replace(keys, store=store), CODE, "await login('Bob')\nawait fail()")
        await talk.start()
        await talk.decide(sign=True)
        assert log == ['sign hunter2 of Ada', 'fail']
        kinds = {key.partition('.')[2] for key in store.texts}
        assert kinds == {'', '0', '1', '2', 'memory'}
        texts = {key: readable(text) for key, text in store.texts.items() if not key.endswith('.0')}
        assert any(b'hunter2' in text for text in texts.values()) is can_be_read
        assert all(b'status' in text or b'execution' in text for text in texts.values()) is can_be_read


async def test_the_key_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('TOOLSCRIPT_ENCRYPTION_KEY', 'another key of the tests')
    assert SECRET.open('purpose', KEY.seal('purpose', b'content')) == b'content'
    assert KEY.seal('purpose', b'content').startswith('encrypted.')


@pytest.mark.parametrize('keys', [KEY, SECRET], ids=['signed', 'encrypted'])
@given(content=st.binary(max_size=300), purpose=st.text(max_size=20))
def test_a_sealed_text_opens_only_for_its_purpose(keys: Snapshots, content: bytes, purpose: str) -> None:
    sealed = keys.seal(purpose, content)
    assert (keys.open(purpose, sealed), sealed.isascii()) == (content, True)
    with pytest.raises(UserError, match='The snapshot of a paused script is invalid'):
        keys.open(f'{purpose}!', sealed)


def test_every_changed_character_of_an_encrypted_text_is_refused() -> None:
    sealed = SECRET.seal('purpose', b'content')
    for place in range(len(sealed)):
        for other in ('A', 'B'):
            changed = sealed[:place] + other + sealed[place + 1 :]
            if changed != sealed:
                with pytest.raises(UserError, match='The snapshot of a paused script is invalid'):
                    SECRET.open('purpose', changed)


def test_equal_contents_have_different_ciphertexts() -> None:
    assert len({SECRET.seal('purpose', b'content') for _ in range(20)}) == 20


def without_cryptography(sealed: str) -> list[str]:
    """Return the report of a process without the package."""
    find = PathFinder.find_spec

    def missing(name: str, *rest: Any) -> object:
        return None if name == 'cryptography' else find(name, *rest)

    pytest.MonkeyPatch().setattr(PathFinder, 'find_spec', missing)
    for name in [name for name in sys.modules if name.partition('.')[0] == 'cryptography']:
        del sys.modules[name]
    reported, signed = list[str](), Snapshots(key='the key of the tests')
    for make in (lambda: Snapshots(encryption_key='a key of the tests'), lambda: signed.open('purpose', sealed)):
        try:
            make()
        except UserError as error:
            reported.append(str(error))
    return [*reported, signed.open('purpose', signed.seal('purpose', b'content')).decode()]


def test_without_the_encryption_extra_the_error_names_it_and_signing_works() -> None:
    assert in_a_fork(without_cryptography, SECRET.seal('purpose', b'content')) == [
        "Snapshots(encryption_key=...) needs the package cryptography: pip install 'toolscript[encryption]'.",
        "What is encrypted needs the package cryptography: pip install 'toolscript[encryption]'.",
        'content',
    ]


def test_a_guessable_key_in_the_environment_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('TOOLSCRIPT_SNAPSHOT_KEY', 'short')
    with pytest.raises(UserError, match='TOOLSCRIPT_SNAPSHOT_KEY is empty or too easy to guess'):
        Snapshots().seal('purpose', b'content')


def test_keys_are_never_shown() -> None:
    assert 'of the tests' not in repr(SECRET)
    assert 'a long secret' not in repr(EncryptionKey('a', 'a long secret'))


class Service:
    """A key service with a new key for each year."""

    def __init__(self) -> None:
        self.year, self.asked = 2025, list[str | None]()
        self.gone = set[int]()

    def __call__(self, key_id: str | None) -> EncryptionKey:
        self.asked.append(key_id)
        name = f'of-{self.year}' if key_id is None else key_id
        if name in {f'of-{year}' for year in self.gone} or not name.startswith('of-'):
            raise KeyError(name)
        return EncryptionKey(name, f'the secret {name}')


def test_a_key_service_gives_the_sealing_key_and_the_key_that_a_text_names() -> None:
    service = Service()
    snapshots = Snapshots(key='the key of the tests', key_service=service)
    old = snapshots.seal('purpose', b'content')
    service.year = 2026
    new = snapshots.seal('purpose', b'content')
    assert (old.split('.')[1], new.split('.')[1]) == ('of-2025', 'of-2026')
    assert (snapshots.open('purpose', old), snapshots.open('purpose', new)) == (b'content', b'content')
    assert service.asked == [None, None, 'of-2025', 'of-2026']
    service.gone.add(2025)
    with pytest.raises(UserError, match='with another key'):
        snapshots.open('purpose', old)

    def another(_: str | None) -> EncryptionKey:
        return EncryptionKey('of-2027', 'the secret of-2027')

    with pytest.raises(UserError, match='The key service returned key of-2027 instead of of-2026'):
        replace(snapshots, key_service=another).open('purpose', new)
    service.gone.add(2026)
    with pytest.raises(UserError, match='it must return the current key for None'):
        snapshots.seal('purpose', b'content')


def test_texts_of_another_key_open_beside_a_key_service_and_key_ids_cannot_be_exchanged() -> None:
    before, after = SECRET, replace(SECRET, key_service=Service())
    assert after.open('purpose', before.seal('purpose', b'content')) == b'content'
    assert after.open('purpose', KEY.seal('purpose', b'content')) == b'content'
    with pytest.raises(UserError, match='with another key'):
        after.open('purpose', after.seal('purpose', b'content').replace('of-2025', 'of-2026'))


async def test_with_encryption_a_request_reveals_nothing_of_scripts() -> None:
    for keys, can_be_read in ((KEY, True), (SECRET, False)):
        talk, log = talk_with(keys, CODE)
        await talk.start()
        (metadata,) = talk.requests.metadata.values()
        assert (b'hunter2' in readable(metadata['toolscript_snapshot'])) is can_be_read
        await talk.decide(sign=True)
        assert log == ['sign hunter2 of Ada']


@pytest.mark.parametrize('keys', [KEY, SECRET], ids=['signed', 'encrypted'])
@pytest.mark.parametrize('size', range(3))
def test_no_other_spelling_of_a_sealed_text_opens(keys: Snapshots, size: int) -> None:
    sealed = keys.seal('purpose', b'c' * size)
    body = sealed.rstrip('=')
    others = {body[:-1] + char + sealed[len(body) :] for char in f'{string.ascii_letters}{string.digits}-_'} - {sealed}
    for other in [*others, f' {sealed}', f'{sealed}=', sealed.replace('-', '+').replace('_', '/') + '\n']:
        with pytest.raises(UserError, match='The snapshot of a paused script is invalid'):
            keys.open('purpose', other)
