"""What released versions wrote goes on under this one; what cannot is refused, with what to do."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import UserError

from tests.toolscript.pauses.conversation import KEY, Conversation
from tests.toolscript.pauses.write_snapshot import ANSWER, FOLDER, requests, talk_with
from toolscript import MemoryStore
from toolscript_sandbox.running import state

pytestmark = pytest.mark.anyio

WRITTEN = sorted(FOLDER.glob('*.json'))
every_release = pytest.mark.parametrize('file', WRITTEN, ids=[file.stem for file in WRITTEN])


def read(file: Path) -> dict[str, Any]:
    """What was written."""
    return json.loads(file.read_text())


def talk_that_waits(written: dict[str, Any]) -> tuple[Conversation, list[str]]:
    """The conversation as its other process left it."""
    store = MemoryStore(written['texts']) if written['texts'] else None
    talk, log = talk_with(replace(KEY, store=store))
    talk.history = json.dumps(written['history']).encode()
    talk.requests = requests.validate_python(written['requests'])
    # The model has spoken already.
    del talk.script.turns[0]
    return talk, log


@every_release
@pytest.mark.parametrize('place', ['store', 'requests'])
async def test_a_script_that_a_released_version_paused_goes_on(file: Path, place: str) -> None:
    if not file.stem.endswith(f'-{version("pydantic-monty")}'):
        pytest.skip('its Monty is not installed')
    talk, log = talk_that_waits(read(file)[place])
    await talk.decide(sign=True)
    assert talk.script.answers == [ANSWER]
    # What ran before the pause did not run again.
    assert sorted(log) == ['after', 'sign both 0', 'sign both 1']


async def test_a_script_that_another_monty_dumped_is_refused_and_can_be_denied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    talk, log = talk_with(KEY)
    await talk.start()
    log.clear()
    monkeypatch.setattr(state, 'MONTY', 'pydantic-monty 99.0')
    with pytest.raises(UserError) as error:
        await talk.decide(sign=True)
    (request,) = talk.requests.approvals
    said = str(error.value).replace(request.tool_call_id, 'ID').replace(version('pydantic-monty'), 'X')
    assert said == snapshot(
        'The state of the paused script ID cannot be read, so nothing was run: pydantic-monty X dumped it, and this is pydantic-monty 99.0. Another version of toolscript or pydantic-monty wrote it. Let that version go on with it, or deny the script with resolve(requests, {script_id: False}).'
    )
    await talk.go_on(talk.requests.build_results(approvals={request.tool_call_id: False}))
    assert log == []
