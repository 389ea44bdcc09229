# pyright: basic, reportMissingImports=false
"""A Prefect flow whose task runs an agent in code mode. Usage: prefect_process.py FOLDER [kill | steps | PrefectAgent].

The history and the script are stored as in docs/durable.md. The script's third call kills the process once; each call
writes a line to the ledger. With "steps", the agent runs in the flow itself, and each step and each call is a task. With
"PrefectAgent", nothing records the steps.
"""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import pytest
from prefect import flow, task
from pydantic_ai import Agent, ModelMessage, ModelMessagesTypeAdapter, ModelResponse, TextPart, UserError
from pydantic_ai.durable_exec.prefect import PrefectAgent, PrefectDurability
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from toolscript import CodeMode, CodeModeToolset, FunctionToolset, Snapshots, SqliteStore

FOLDER, BLOW = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ''
CODE = """
done = []
for n in range(6):
    try:
        done.append(await note(n))
    except RuntimeError as error:
        done.append(str(error).partition(':')[0])
done
"""
if BLOW == 'steps':
    CODE += """
import asyncio
more = await asyncio.gather(*[note(n) for n in range(6, 12)])
try:
    await note('six')
except Exception as error:
    done.append(type(error).__name__)
await asyncio.sleep(0.1)
[done, more]
"""


def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    last = messages[-1].parts[-1]
    if last.part_kind == 'tool-return':
        return ModelResponse([TextPart(json.dumps(last.content))])
    return ModelResponse([ToolCallPart('run_code', {'code': CODE})])


async def note(n: int) -> int:
    lines = FOLDER / 'ledger'
    struck = lines.exists() and f'{n}\n' in lines.read_text()
    with lines.open('a') as ledger:
        ledger.write(f'{n}\n')
    if n == 2 and not struck and BLOW == 'kill':
        os.kill(os.getpid(), signal.SIGKILL)
    return n * n


agent = Agent(
    FunctionModel(play),
    deps_type=object,
    toolsets=[
        CodeModeToolset(
            FunctionToolset[object]([note]),
            snapshots=Snapshots(key='the key of the lab', store=SqliteStore(FOLDER / 'scripts.db')),
        )
    ],
)


@task(retries=1)
async def work(prompt: str) -> str:
    file = FOLDER / 'history.json'
    history = ModelMessagesTypeAdapter.validate_json(file.read_bytes()) if file.exists() else None
    async with agent.iter(None if history else prompt, message_history=history) as run:
        async for _ in run:
            draft = file.with_suffix('.draft')
            draft.write_bytes(run.all_messages_json())
            draft.replace(file)
    assert run.result is not None
    return run.result.output


@flow
async def chat(prompt: str) -> str:
    return await work(prompt)


stepped = Agent(
    FunctionModel(play), name='stepped', deps_type=object, tools=[note], capabilities=[CodeMode(), PrefectDurability()]
)


@flow(retries=1, retry_delay_seconds=0)
async def chat_in_steps(prompt: str) -> str:
    """Run tasks, and a script that gathers calls, catches a failure and waits. The flow fails once, after that."""
    result = await stepped.run(prompt)
    failed = FOLDER / 'failed'
    if not failed.exists():
        failed.touch()
        raise RuntimeError
    return result.output


@flow
async def chat_of_wrapper(prompt: str) -> str:
    """Return why the agent is refused."""
    wrapped = PrefectAgent(Agent(FunctionModel(play), name='wrapped', tools=[note], capabilities=[CodeMode()]))
    with pytest.raises(UserError) as refusal:
        await wrapped.run(prompt)
    return json.dumps(str(refusal.value))


FLOWS = {'steps': chat_in_steps, 'PrefectAgent': chat_of_wrapper}
if __name__ == '__main__':
    print(asyncio.run(FLOWS.get(BLOW, chat)('go')))
