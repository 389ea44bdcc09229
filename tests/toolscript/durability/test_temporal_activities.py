# pyright: basic, reportMissingImports=false
"""What of Temporal can be tried without its server: the sandbox of workflows, and an agent in an activity."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic_ai import ModelMessagesTypeAdapter

pytest.importorskip('temporalio', reason='temporalio is not installed')

from temporalio import activity, workflow
from temporalio.testing import ActivityEnvironment
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner

from tests.toolscript.approvals.conversation import KEY, Conversation, conversation
from tests.toolscript.durability.temporal_chat import Chat
from tests.toolscript.scripted import run_code
from toolscript import FunctionToolset, SqliteStore

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio, pytest.mark.long]

CODE = """
done = []
for n in range(6):
    try:
        done.append(await note(n))
    except RuntimeError as error:
        done.append(str(error).partition(':')[0])
done
"""


async def test_the_module_of_a_workflow_may_import_toolscript_past_the_sandbox_of_workflows() -> None:
    # What a worker does with each workflow that it is given.
    definition = workflow._Definition.must_from_class(Chat)  # pyright: ignore[reportPrivateUsage]
    SandboxedWorkflowRunner().prepare_workflow(definition)


class WorkerStops(BaseException):
    """The worker is told to stop in the middle of an activity."""


async def test_an_activity_that_is_tried_again_goes_on_where_its_script_was(tmp_path: Path) -> None:
    log, file = list[int](), tmp_path / 'history.json'

    async def note(n: int) -> int:
        log.append(n)
        if n == 2 and log.count(2) == 1:
            raise WorkerStops
        return n * n

    def attempt_of(talk: Conversation) -> Conversation:
        return replace(talk, snapshots=replace(KEY, store=SqliteStore(tmp_path / 'scripts.db')))

    talk = conversation(FunctionToolset[object]([note]), run_code(CODE))

    @activity.defn
    async def work(prompt: str) -> str:
        agent = attempt_of(talk).agent
        history = ModelMessagesTypeAdapter.validate_json(file.read_bytes()) if file.exists() else None
        async with agent.iter(None if history else prompt, message_history=history) as run:
            async for _ in run:
                file.write_bytes(run.all_messages_json())
                activity.heartbeat()
        assert run.result is not None
        assert isinstance(run.result.output, str)
        return run.result.output

    with pytest.raises(WorkerStops):
        await ActivityEnvironment().run(work, 'go')
    second = ActivityEnvironment()
    second.info = replace(second.info, attempt=2)
    await second.run(work, 'go')
    assert json.dumps(talk.script.answers[-1]) == json.dumps([0, 1, 'UnknownOutcome', 9, 16, 25])
    assert log == [0, 1, 2, 3, 4, 5]
