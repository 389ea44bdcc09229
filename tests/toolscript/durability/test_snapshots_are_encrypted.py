"""With an encryption key, nobody who sees a snapshot, a store or a journal can read what scripts hold."""

import base64
import json
import subprocess
import sys
import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai import UserError

from tests.toolscript.approvals.conversation import KEY, Conversation, conversation
from tests.toolscript.scripted import run_code
from toolscript import EncryptionKey, FunctionToolset, MemoryStore, Snapshots

pytestmark = pytest.mark.anyio

SECRET = Snapshots(key='the key of the tests', encryption_key='another key of the tests')
CODE = "token = await login('Ada')\nawait deliver(token)"


def talk_with(snapshots: Snapshots, *codes: str) -> tuple[Conversation, list[str]]:
    log: list[str] = []
    toolset = FunctionToolset[object]()

    def login(name: str) -> str:
        return f'hunter2 of {name}'

    def deliver(what: str) -> str:
        log.append(what)
        return what

    def fail() -> None:
        raise ValueError('broken')

    toolset.tool_plain(login)
    toolset.tool_plain(requires_approval=True)(deliver)
    toolset.tool_plain(fail)
    return conversation(toolset, *map(run_code, codes), snapshots=snapshots), log


def readable(text: str) -> bytes:
    """All that can be read in a sealed text without a key."""
    data = base64.urlsafe_b64decode(text.rpartition('.')[2] + '==')
    found = data
    for start in range(len(data)):
        try:
            found += zlib.decompressobj().decompress(data[start:])
        except zlib.error:
            continue
    return found


async def test_nothing_that_scripts_hold_can_be_read_in_a_store() -> None:
    for snapshots, can_be_read in ((KEY, True), (SECRET, False)):
        store = MemoryStore()
        talk, log = talk_with(replace(snapshots, store=store), CODE, "await login('Bob')\nawait fail()")
        await talk.start()
        await talk.decide(deliver=True)
        assert log == ['hunter2 of Ada']
        kinds = {key.partition('.')[2] for key in store.texts}
        assert kinds == {'', '0', '1', '2', 'memory'}
        texts = {key: readable(text) for key, text in store.texts.items() if not key.endswith('.0')}
        assert any(b'hunter2' in text for text in texts.values()) is can_be_read
        assert all(b'status' in text or b'execution' in text for text in texts.values()) is can_be_read


async def test_an_encryption_key_may_be_changed_while_scripts_wait() -> None:
    talk, log = talk_with(SECRET, CODE)
    await talk.start()
    new = Snapshots(key='the key of the tests', encryption_key='a newer key of the tests')
    talk.snapshots = new
    with pytest.raises(UserError, match='The snapshot of a paused script is invalid'):
        await talk.decide(deliver=True)
    assert log == []
    talk.snapshots = replace(new, old_keys=['an older key', 'another key of the tests'])
    await talk.decide(deliver=True)
    assert log == ['hunter2 of Ada']


async def test_the_key_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('TOOLSCRIPT_ENCRYPTION_KEY', 'another key of the tests')
    assert SECRET.open('purpose', KEY.seal('purpose', b'content')) == b'content'
    assert KEY.seal('purpose', b'content').startswith('encrypted.')


@given(st.binary(max_size=300), st.text(max_size=20))
def test_encrypting_keeps_every_content_for_its_purpose_alone(content: bytes, purpose: str) -> None:
    sealed = SECRET.seal(purpose, content)
    assert (SECRET.open(purpose, sealed), sealed.isascii()) == (content, True)
    with pytest.raises(UserError, match='The snapshot of a paused script is invalid'):
        SECRET.open(f'{purpose}!', sealed)


def test_every_changed_character_of_an_encrypted_text_is_refused() -> None:
    sealed = SECRET.seal('purpose', b'content')
    for place in range(len(sealed)):
        for other in ('A', 'B'):
            changed = sealed[:place] + other + sealed[place + 1 :]
            if changed != sealed:
                with pytest.raises(UserError, match='The snapshot of a paused script is invalid'):
                    SECRET.open('purpose', changed)


def test_equal_contents_do_not_look_equal() -> None:
    assert len({SECRET.seal('purpose', b'content') for _ in range(20)}) == 20


WITHOUT = """
import json, sys
sys.modules['cryptography'] = None
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name == 'cryptography' else find(name, *rest)
del sys.modules['cryptography']
from toolscript import Snapshots
reported = []
for make in (
    lambda: Snapshots(encryption_key='a key of the tests'),
    lambda: Snapshots(key='the key of the tests').open('purpose', sys.argv[1]),
):
    try:
        make()
    except Exception as error:
        reported.append(f'{type(error).__name__}: {error}')
signed = Snapshots(key='the key of the tests')
reported.append(signed.open('purpose', signed.seal('purpose', b'content')).decode())
print(json.dumps(reported))
"""


def test_without_the_extra_encryption_says_what_to_install_and_signing_works() -> None:
    done = subprocess.run(
        [sys.executable, '-c', WITHOUT, SECRET.seal('purpose', b'content')],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    assert json.loads(done.stdout) == [
        "UserError: Snapshots(encryption_key=...) needs the package cryptography: pip install 'toolscript[encryption]'.",
        "UserError: What is encrypted needs the package cryptography: pip install 'toolscript[encryption]'.",
        'content',
    ]


@pytest.mark.parametrize('bad', ['', b'', 'short', b'1234567'])
def test_secrets_that_anybody_can_guess_are_refused(bad: str | bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for make in (
        lambda: Snapshots(key=bad),
        lambda: Snapshots(encryption_key=bad),
        lambda: Snapshots(key='the key of the tests', old_keys=[bad]),
    ):
        with pytest.raises(UserError, match='empty or too easy to guess'):
            make()
    if isinstance(bad, str) and bad:
        monkeypatch.setenv('TOOLSCRIPT_SNAPSHOT_KEY', bad)
        with pytest.raises(UserError, match='TOOLSCRIPT_SNAPSHOT_KEY is empty or too easy to guess'):
            Snapshots().seal('purpose', b'content')


def test_secrets_are_text_or_bytes() -> None:
    with pytest.raises(UserError, match=r'old_keys=\.\.\.\) must be a list of secrets'):
        Snapshots(old_keys='the key of the tests')
    with pytest.raises(UserError, match='must be str or bytes, not int'):
        Snapshots(key=12345678)  # pyright: ignore[reportArgumentType]


def test_no_key_ever_shows() -> None:
    assert 'of the tests' not in repr(SECRET)


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


def test_a_key_service_gives_the_key_to_seal_with_and_the_one_that_a_text_names() -> None:
    service = Service()
    snapshots = Snapshots(key='the key of the tests', key_service=service)
    old = snapshots.seal('purpose', b'content')
    service.year = 2026
    new = snapshots.seal('purpose', b'content')
    assert (old.split('.')[1], new.split('.')[1]) == ('of-2025', 'of-2026')
    assert (snapshots.open('purpose', old), snapshots.open('purpose', new)) == (b'content', b'content')
    assert service.asked == [None, None, 'of-2025', 'of-2026']
    service.gone.add(2025)
    with pytest.raises(UserError, match='signed with another key'):
        snapshots.open('purpose', old)


def test_what_another_key_sealed_is_opened_beside_a_key_service_and_its_ids_cannot_be_exchanged() -> None:
    before, after = SECRET, replace(SECRET, key_service=Service())
    assert after.open('purpose', before.seal('purpose', b'content')) == b'content'
    assert after.open('purpose', KEY.seal('purpose', b'content')) == b'content'
    with pytest.raises(UserError, match='signed with another key'):
        after.open('purpose', after.seal('purpose', b'content').replace('of-2025', 'of-2026'))


def test_keys_that_cannot_be_used_are_refused() -> None:
    with pytest.raises(UserError, match='use 1 to 100 letters'):
        EncryptionKey('a.b', 'a long secret')
    with pytest.raises(UserError, match='fewer than 8 bytes'):
        EncryptionKey('a', 'short')
    assert 'a long secret' not in repr(EncryptionKey('a', 'a long secret'))


async def test_nothing_that_scripts_hold_can_be_read_in_a_request() -> None:
    for snapshots, can_be_read in ((KEY, True), (SECRET, False)):
        talk, log = talk_with(snapshots, CODE)
        await talk.start()
        (metadata,) = talk.requests.metadata.values()
        assert (b'hunter2' in readable(metadata['toolscript_snapshot'])) is can_be_read
        await talk.decide(deliver=True)
        assert log == ['hunter2 of Ada']
