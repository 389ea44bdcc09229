"""Chats on two hosts that share a PostgreSQL, while processes are killed and PostgreSQL is stopped and started.

Each chat has two turns. The first sets a variable, keeps a function and makes calls; the second makes calls with both, and
one that somebody has to approve. Every host tries every chat; a claim keeps one host on a chat at a time. Each call leaves
a line in a ledger. A life that was killed is followed by another one, until all chats have ended.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from pydantic import TypeAdapter
from pydantic_ai import (
    Agent,
    DeferredToolRequests,
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelResponse,
    TextPart,
    UserError,
)
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tests.postgres_server import Server
from toolscript import (
    CodeModeToolset,
    FunctionToolset,
    LockLost,
    SavedFunctions,
    Sessions,
    Snapshots,
    pending_calls,
    resolve,
)
from toolscript.postgres import PostgresStore

TOLD = """
async def told(n):
    try:
        return await work(n)
    except RuntimeError as error:
        return str(error).partition(':')[0]
"""
TURNS = (
    f"""{TOLD}
def double(n: int) -> int:
    return 2 * n
first = [await told(n) for n in range(4)]
try:
    kept = bool(await save_function(double, 'Doubles a number.'))
except RuntimeError as error:
    kept = str(error).partition(':')[0]
[first, kept]
""",
    f"""{TOLD}
more = [await told(n) for n in range(4, 8)]
try:
    more.append(await ask(8))
except RuntimeError as error:
    more.append(str(error).partition(':')[0])
[first, more + [await told(n) for n in range(9, 12)]]
""",
)
CALLS = 12
_requests = TypeAdapter(DeferredToolRequests)


@dataclass(frozen=True)
class Storm:
    """What comes over the hosts."""

    chats: int
    kills: int
    restarts: int


class Host:
    """One life of one process."""

    def __init__(self, url: str, schema: str, folder: Path) -> None:
        self.store = PostgresStore(url, schema=schema)
        self.ledger = os.open(folder / 'ledger', os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.snapshots = Snapshots(key='the key of the lab', store=self.store)

    async def live(self, chats: int) -> None:
        """Bring all chats to their end, no matter who does it."""
        left = list(range(chats))
        while left:
            random.shuffle(left)
            ended = await asyncio.gather(*map(self.chat, left[:4]))
            left = [chat for chat in left if chat not in ended]
            await asyncio.sleep(0.02)
        self.store.close()

    async def chat(self, number: int) -> int | None:
        """The chat, if it has come to its end."""
        place = f'chat{number}'
        try:
            async with self.store.lock(place) as held:
                if held:
                    for turn in range(len(TURNS)):
                        await self.turn(place, number, turn)
                    return number
        except (LockLost, UserError, psycopg.OperationalError) as error:
            # Another host has taken it over, or the database was away for too long: this one comes back to it.
            # What is written under a key of the claim, as the history is, is refused then.
            print(f'{type(error).__name__}: {str(error)[:100]}', file=sys.stderr)
        return None

    async def turn(self, place: str, number: int, turn: int) -> None:
        """A turn, from where it is: its answer is kept."""
        found = await self.store.load_all([f'{place}.answer{turn}', f'{place}.asked{turn}', f'{place}.history{turn}'])
        if f'{place}.answer{turn}' in found:
            return
        agent, history, output = (
            self.agent(number, turn),
            found.get(f'{place}.history{turn}'),
            found.get(f'{place}.asked{turn}'),
        )
        asked = None if output is None else _requests.validate_json(output)
        messages = None if history is None else ModelMessagesTypeAdapter.validate_json(history)
        if messages and isinstance(messages[-1], ModelResponse) and not messages[-1].tool_calls:
            # It had ended, and its host before it could say so: going on, the model would write one more script.
            await self.store.save(f'{place}.answer{turn}', messages[-1].text or '')
            return
        if asked is None:
            async with agent.iter(
                None if messages else 'go', message_history=messages, conversation_id=f'chat {number}'
            ) as run:
                async for _ in run:
                    messages = run.all_messages()
                    await self.store.save(f'{place}.history{turn}', run.all_messages_json().decode())
            assert run.result is not None
            if isinstance(run.result.output, str):
                await self.store.save(f'{place}.answer{turn}', run.result.output)
                return
            asked = run.result.output
            await self.store.save(f'{place}.asked{turn}', _requests.dump_json(asked).decode())
        decided = resolve(asked, {call.tool_call_id: True for call in pending_calls(asked)})
        result = await agent.run(
            message_history=messages, deferred_tool_results=decided, conversation_id=f'chat {number}'
        )
        assert isinstance(result.output, str)
        await self.store.save(f'{place}.answer{turn}', result.output)

    def agent(self, number: int, turn: int) -> Agent[object, Any]:
        """An agent whose calls leave lines."""

        async def work(n: int) -> int:
            os.write(self.ledger, f'{number} {n}\n'.encode())
            await asyncio.sleep(0.01)
            return n * n

        def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            # A life may end between the last text of a run and the line that keeps it: the next one asks again, after all.
            for part in (part for message in messages for part in message.parts):
                if part.part_kind == 'tool-return':
                    return ModelResponse([TextPart(json.dumps(part.content))])
            return ModelResponse([ToolCallPart('run_code', {'code': TURNS[turn]})])

        tools = FunctionToolset[object]([work])
        tools.tool_plain(requires_approval=True, name='ask')(work)
        toolset = CodeModeToolset[object](
            tools,
            snapshots=self.snapshots,
            sessions=Sessions(self.store),
            functions=SavedFunctions(self.store),
        )
        return Agent(FunctionModel(play), deps_type=object, output_type=[str, DeferredToolRequests], toolsets=[toolset])


def in_a_fork(url: str, schema: str, folder: Path, chats: int) -> int:
    """A process that lives until all chats have ended."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            asyncio.run(Host(url, schema, folder).live(chats))
            status = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(status)
    return child


class Hosts:
    """Two hosts: forks of a process of their own, which has used nothing yet that a fork must not inherit."""

    def __init__(self, url: str, schema: str, folder: Path, chats: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, '-W', 'ignore', __file__, url, schema, str(folder), str(chats)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)},
        )

    def say(self, *words: object) -> str:
        """Tell the process what to do; what it says when that is done."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(*words, file=self.process.stdin, flush=True)
        return self.process.stdout.readline().strip()

    def end(self) -> None:
        """Leave nothing behind."""
        with self.process:
            os.killpg(self.process.pid, signal.SIGKILL)


def hosts_on_request(url: str, schema: str, folder: Path, chats: int) -> None:
    """Start, kill and wait for hosts, as the standard input says."""
    hosts = dict[str, int]()
    for line in sys.stdin:
        verb, _, name = line.strip().partition(' ')
        if verb == 'kill':
            os.kill(hosts[name], signal.SIGKILL)
        if verb in ('kill', 'wait'):
            print(os.waitstatus_to_exitcode(os.waitpid(hosts.pop(name), 0)[1]), flush=True)
        if verb == 'start':
            hosts[name] = in_a_fork(url, schema, folder, chats)
            print('started', flush=True)


def weather(server: Server, schema: str, folder: Path, storm: Storm, seed: int) -> None:
    """Two hosts, and what comes over them."""
    dice, hosts = random.Random(seed), Hosts(server.url, schema, folder, storm.chats)
    try:
        for name in 'ab':
            hosts.say('start', name)
        blows = [*['kill'] * storm.kills, *['restart'] * storm.restarts]
        dice.shuffle(blows)
        for blow in blows:
            until_calls_were_made(folder, dice.randint(0, 8))
            time.sleep(dice.uniform(0.0, 0.1))
            if blow == 'kill':
                name = dice.choice('ab')
                hosts.say('kill', name)
                hosts.say('start', name)
            else:
                server.stop(hard=dice.random() < 0.5)
                time.sleep(dice.uniform(0.0, 0.3))
                server.start()
        assert [hosts.say('wait', name) for name in 'ab'] == ['0', '0']
    finally:
        hosts.end()


def until_calls_were_made(folder: Path, count: int) -> None:
    """Come back when there are so many more in the ledger, or none come."""
    had = sum(ledger(folder).values())
    for _ in range(1_000):
        if sum(ledger(folder).values()) >= had + count:
            return
        time.sleep(0.01)


def answers(server: Server, schema: str, chats: int) -> list[Sequence[Any]]:
    """What the turns of each chat gave."""

    async def all_of_them() -> list[Sequence[Any]]:
        async with PostgresStore(server.url, schema=schema) as store:
            places = [f'chat{number}.answer{turn}' for number in range(chats) for turn in range(len(TURNS))]
            texts = await store.load_all(places)
            return [json.loads(texts[place]) for place in places]

    given = asyncio.run(all_of_them())
    return [given[2 * number : 2 * number + 2] for number in range(chats)]


def ledger(folder: Path) -> Counter[str]:
    """How often each call of each chat ran."""
    file = folder / 'ledger'
    return Counter(file.read_text().splitlines() if file.exists() else ())


if __name__ == '__main__':
    hosts_on_request(sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]))
