"""One task: a workflow of turns, each of which is a run of the agent.

The queues, the workflow and what it waits for are DBOS's. Turns go through a queue of their own, which limits how many
run at once: tasks that wait for somebody take no place in it. What happens in a turn is kept by the store, so that a
turn whose process died continues where it was when DBOS runs it again.
"""

import json
import os
from typing import Any

from dbos import DBOS
from pydantic import TypeAdapter
from pydantic_ai import Agent, DeferredToolRequests, ModelMessage, ModelMessagesTypeAdapter, ModelResponse, TextPart
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from examples.service.desk import desk
from toolscript import CodeModeToolset, Snapshots, pending_calls, resolve
from toolscript.postgres import PostgresStore

CODE = """
prices = [await price(n) for n in range(1, 4)]
paid = await pay(sum(prices))
await file_receipt(paid)
"""
DAYS = 24 * 3600.0

store = PostgresStore(os.environ['DATABASE'])
_requests = TypeAdapter(DeferredToolRequests)


def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Sends the script, then says what it gave."""
    last = messages[-1].parts[-1]
    if last.part_kind == 'tool-return':
        return ModelResponse([TextPart(json.dumps(last.content))])
    return ModelResponse([ToolCallPart('run_code', {'code': CODE})])


agent = Agent(
    os.environ.get('MODEL') or FunctionModel(play),
    deps_type=object,
    output_type=[str, DeferredToolRequests],
    toolsets=[CodeModeToolset(desk, snapshots=Snapshots(store=store))],
)


@DBOS.workflow()
async def turn(task_id: str, number: int, task: str, decision: bool | None) -> dict[str, Any]:
    """Run the agent until it has the answer, or waits."""
    return await run_agent(task_id, number, task, decision)


@DBOS.step()
async def run_agent(task_id: str, number: int, task: str, decision: bool | None) -> dict[str, Any]:
    """One step to DBOS: what becomes of it if its process dies, the store knows."""
    before, place = await _history(task_id, number - 1), f'{task_id}.history{number}'
    began = await _history(task_id, number)
    results = None
    if decision is not None:
        asked = await store.load(f'{task_id}.requests{number - 1}')
        assert asked is not None
        requests = _requests.validate_json(asked)
        results = resolve(requests, {call.tool_call_id: decision for call in pending_calls(requests)})
        began = None
    if began and isinstance(began[-1], ModelResponse) and not began[-1].tool_calls:
        # It had come to its end, and died before it could say so: to continue would ask the model once more.
        return {'answer': began[-1].text or ''}
    history = began or before
    prompt = task if history is None else None
    async with agent.iter(prompt, message_history=history, deferred_tool_results=results) as run:
        async for _ in run:
            await store.save(place, run.all_messages_json().decode())
    assert run.result is not None
    output = run.result.output
    if isinstance(output, str):
        return {'answer': output}
    await store.save(f'{task_id}.requests{number}', _requests.dump_json(output).decode())
    return {'waits': [{'tool': call.tool_name, 'args': call.args} for call in pending_calls(output)]}


async def _history(task_id: str, number: int) -> list[ModelMessage] | None:
    text = await store.load(f'{task_id}.history{number}')
    return None if text is None else ModelMessagesTypeAdapter.validate_json(text)


@DBOS.workflow()
async def work(task: str) -> str:
    """The answer to the task, however often somebody has to be asked, and however long they take."""
    task_id, number, decision = DBOS.workflow_id, 0, None
    assert task_id is not None
    while True:
        queued = await DBOS.enqueue_workflow_async('turns', turn, task_id, number, task, decision)
        said = await queued.get_result()
        if 'answer' in said:
            return said['answer']
        await DBOS.set_event_async(f'waits{number}', said['waits'])
        await DBOS.set_event_async('asked', number)
        decision = bool(await DBOS.recv_async(f'decision{number}', timeout_seconds=7 * DAYS))
        number += 1
