"""Two users' chats of five turns. Usage: chat_process.py FOLDER [DIE_AT]; continues with what it finds in the folder.

Each line of the ledger is a call of the tool. With DIE_AT, the process is killed in the call that writes that line.
Prints, for each user, what the last turn's script gave.
"""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

from pydantic_ai import (
    Agent,
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    RunContext,
    TextPart,
    ToolCallPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from toolscript import CodeModeToolset, FunctionToolset, Sessions, Snapshots, SqliteStore

FOLDER = Path(sys.argv[1])
DIE_AT = int(sys.argv[2]) if len(sys.argv) > 2 else 0
USERS = ('ann', 'bob')
TURNS = [
    [
        """
names = [await me()]
async def add(name):
    await note(f'{names[0]} {name}')
    names.append(name)
    return len(names)
""",
        'await add("one")',
    ],
    ['await add("two")', 'total = 10 * len(names)'],
    [
        """
class Bag:
    def __init__(self, items):
        self.items = list(items)
bag = Bag(names)
""",
        'await add("three")',
    ],
    ['bag.items.append("four")\nawait add("four")'],
    ['[names, bag.items, total, await add("five")]'],
]

tools = FunctionToolset[str]()


@tools.tool
def me(ctx: RunContext[str]) -> str:
    """Whose chat it is."""
    return ctx.deps


@tools.tool_plain
def note(line: str) -> None:
    """Write a line to the ledger; perhaps the last thing this process does."""
    with (FOLDER / 'ledger').open('a') as ledger:
        ledger.write(f'{line}\n')
    if len((FOLDER / 'ledger').read_text().splitlines()) == DIE_AT:
        os.kill(os.getpid(), signal.SIGKILL)


def is_turn(part: ModelRequestPart | ModelResponsePart) -> bool:
    """Whether it is the user's own."""
    return part.part_kind == 'user-prompt' and str(part.content).startswith('turn ')


def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Sends the scripts of the turn, one after the other, then says what the last one gave."""
    prompts = [n for n, message in enumerate(messages) if any(is_turn(part) for part in message.parts)]
    made = sum(isinstance(message, ModelResponse) for message in messages[prompts[-1] :])
    scripts = TURNS[len(prompts) - 1]
    if made < len(scripts):
        return ModelResponse([ToolCallPart('run_code', {'code': scripts[made]})])
    answer = next(part for part in messages[-1].parts if part.part_kind == 'tool-return')
    return ModelResponse([TextPart(json.dumps(answer.content))])


agent = Agent(
    FunctionModel(play),
    deps_type=str,
    toolsets=[
        CodeModeToolset(
            tools,
            snapshots=Snapshots(encryption_key='a key of the tests'),
            sessions=Sessions(SqliteStore(FOLDER / 'variables.db')),
        )
    ],
)


async def turn(user: str, number: int) -> str | None:
    """Play a turn, or what is left of it; None where it has been played."""
    file = FOLDER / f'{user}.json'
    history = ModelMessagesTypeAdapter.validate_json(file.read_bytes()) if file.exists() else []
    begun = sum(part.part_kind == 'user-prompt' for message in history for part in message.parts)
    is_open = bool(history) and not (isinstance(history[-1], ModelResponse) and not history[-1].tool_calls)
    if begun > number and not (is_open and begun == number + 1):
        return None
    prompt = None if is_open else f'turn {number}'
    async with agent.iter(prompt, message_history=history, conversation_id=user, deps=user) as run:
        async for _ in run:
            draft = file.with_suffix('.draft')
            draft.write_bytes(run.all_messages_json())
            draft.replace(file)
    assert run.result is not None
    return run.result.output


async def main() -> None:
    """Play what is left of all turns."""
    for number in range(len(TURNS)):
        for user in USERS:
            said = await turn(user, number)
            if said is not None and number == len(TURNS) - 1:
                print(said)


if __name__ == '__main__':
    asyncio.run(main())
