"""What another version of Monty dumped is refused, with what to do."""

from __future__ import annotations

from importlib.metadata import version

import pytest
from inline_snapshot import snapshot
from pydantic_ai import UserError

from tests.toolscript.approvals.conversation import KEY, conversation
from tests.toolscript.scripted import run_code
from toolscript import FunctionToolset
from toolscript_sandbox.execution.state import State

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


async def test_a_script_that_another_monty_dumped_is_refused_and_can_be_denied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    toolset, log = FunctionToolset[object](), list[str]()

    @toolset.tool_plain(requires_approval=True)
    async def sign(name: str) -> None:
        log.append(name)

    assert callable(sign)
    talk = conversation(toolset, run_code("await sign('it')"), snapshots=KEY)
    await talk.start()
    monkeypatch.setattr(State, 'READERS', 'pydantic-monty 99.0')
    with pytest.raises(UserError) as error:
        await talk.decide(sign=True)
    (request,) = talk.requests.approvals
    said = str(error.value).replace(request.tool_call_id, 'ID').replace(version('pydantic-monty'), 'X')
    assert said == snapshot(
        'The state of the paused script ID cannot be read, so nothing was run: pydantic-monty X wrote the state of a suspended snippet, and this is pydantic-monty 99.0. Another version of toolscript or pydantic-monty wrote it. Let that version resume it, or deny the script with resolve(requests, {script_id: False}).'
    )
    await talk.go_on(talk.requests.build_results(approvals={request.tool_call_id: False}))
    assert log == []
