"""A script that another version of Monty suspended is replayed from its recording, or refused with the difference."""

import json
import re
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from pydantic_ai import UserError

from tests.toolscript.approvals.conversation import KEY, Conversation, at_desk, conversation, desk
from tests.toolscript.durability.paused_earlier import REQUESTS, talk_of
from tests.toolscript.scripted import run_code
from toolscript import FunctionToolset, MemoryStore
from toolscript_sandbox.execution.state import State

_BY_1_3 = Path(__file__).parent / 'paused_by_monty_1_3.json'


def paused_by_1_3(made: list[str]) -> Conversation:
    """Return the conversation at the pause in the other version."""
    saved, talk = json.loads(_BY_1_3.read_text()), talk_of(made)
    del talk.script.turns[:2]
    talk.history, talk.requests = json.dumps(saved['history']).encode(), REQUESTS.validate_python(saved['requests'])
    assert saved['monty'] == '1.3.0'
    return talk


async def test_a_script_that_monty_1_3_suspended_resumes_without_repeating_a_recorded_call() -> None:
    made = list[str]()
    talk = paused_by_1_3(made)
    (waiting,) = talk.waiting
    await talk.decide(pay=True)
    note = waiting.args['note']
    assert made == [f'pay 60 {note}', 'look_up Cy']
    (answer,) = talk.script.answers
    paid, last, lucky, _ = answer['result']
    assert (paid, last, note) == ('paid 60', {'name': 'Cy', 'age': 30}, f'for Ada {lucky}')


async def test_random_numbers_continue_after_a_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = list[int]()
    for reader in (State.READERS, 'pydantic-monty 99.0'):
        talk = paused_by_1_3(list[str]())
        with monkeypatch.context() as patch:
            patch.setattr(State, 'READERS', reader)
            await talk.decide(pay=True)
        numbers.append(talk.script.answers[0]['result'][3])
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize('store', [None, MemoryStore()])
async def test_a_script_survives_several_versions_and_several_pauses(
    monkeypatch: pytest.MonkeyPatch, store: MemoryStore | None
) -> None:
    code = "a = await sign('a')\nb = await asyncio.gather(sign('b'), sign('c'))\nd = await sign('d')\n[a, *b, d]"
    talk, log = at_desk('x = 1', code, store=store)
    await talk.start()
    for number in range(3):
        monkeypatch.setattr(State, 'READERS', f'pydantic-monty 99.{number}')
        await talk.decide(sign=True)
    assert log == [f'sign {name}' for name in 'abcd']
    assert talk.script.answers[-1] == [f'signed {name}' for name in 'abcd']


async def test_a_script_that_now_makes_other_calls_is_refused_with_the_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    talk, log = at_desk('import time\nt = time.time()\nawait sign(str(t))')
    await talk.start()
    monkeypatch.setattr(State, 'READERS', 'pydantic-monty 99.0')
    with pytest.raises(UserError) as error:
        await talk.decide(sign=True)
    (request,) = talk.requests.approvals
    message = re.sub(r'\d+\.\d+', 'T', str(error.value)).replace(request.tool_call_id, 'ID')
    assert message == snapshot(
        'The paused script ID cannot resume in this version, so nothing was run: a script calls sign("T") now, and called sign("T") then. Let the version of toolscript and pydantic-monty that paused it resume it, or deny the script with resolve(requests, {script_id: False}).'
    )
    await talk.resume(talk.requests.build_results(approvals={request.tool_call_id: False}))
    assert log == []


async def test_a_script_whose_results_were_too_large_to_record_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    toolset, log = desk()
    toolset.add_function(lambda: 'x' * 3_000_000, name='page', takes_ctx=False, metadata={'read_only': True})
    talk = conversation(toolset, run_code('p = await page()\nawait sign(p[:3])'))
    await talk.start()
    monkeypatch.setattr(State, 'READERS', 'pydantic-monty 99.0')
    with pytest.raises(UserError, match='what its calls and files returned takes more than') as error:
        await talk.decide(sign=True)
    assert version('pydantic-monty') not in str(error.value)
    assert log == []


class Killed(BaseException):
    """The process dies."""


async def test_a_call_that_may_have_run_is_not_made_after_a_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    toolset, log, store = FunctionToolset[object](), list[str](), MemoryStore()

    @toolset.tool_plain(requires_approval=True)
    async def sign(name: str) -> None:
        log.append(name)
        raise Killed

    assert callable(sign)
    talk = conversation(toolset, run_code("await sign('a')"), snapshots=replace(KEY, store=store))
    await talk.start()
    paused = dict(store.texts)
    with pytest.raises(Killed):
        await talk.decide(sign=True)
    # The last write of the state is lost, but not the journal.
    store.texts |= {key: text for key, text in paused.items() if '.' not in key}
    monkeypatch.setattr(State, 'READERS', 'pydantic-monty 99.0')
    talk.script.turns[:] = ['done']
    await talk.decide(sign=True)
    assert log == ['a']
    assert 'UnknownOutcome' in talk.history.decode()


async def test_a_changed_snapshot_of_another_version_is_refused_before_anything_is_replayed() -> None:
    made = list[str]()
    talk = paused_by_1_3(made)
    (metadata,) = talk.requests.metadata.values()
    text = metadata['toolscript_snapshot']
    metadata['toolscript_snapshot'] = f'{text[:-6]}AAAA{text[-2:]}'
    with pytest.raises(UserError, match='invalid'):
        await talk.decide(pay=True)
    assert made == []
