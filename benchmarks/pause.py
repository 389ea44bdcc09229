"""The cost of a pause: the size of a snapshot, the time to pause and to resume, and the price of a store.

Run it with `python -m benchmarks.pause`. Times are medians, each compared with the same script without a pause or a
store in the same run; only the ratios are meaningful on another machine.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai import Agent, DeferredToolRequests

from toolscript import (
    CodeModeToolset,
    DirectoryStore,
    FunctionToolset,
    MemoryStore,
    Snapshots,
    SnapshotStore,
    SqliteStore,
    pending_calls,
    resolve,
)
from toolscript.testing import script_model

ROUNDS = 15
SHAPES = {
    'one call': 'await ask(1)',
    '100 lines': '\n'.join(['x = 0', *(f'x = x + {n}' for n in range(98)), 'await ask(x)']),
    '100 calls before': 'for n in range(100):\n    await work(n)\nawait ask(1)',
    '10 kB of variables': "kept = ['%05d' % n for n in range(1_250)]\nawait ask(1)",
    '1 MB of variables': "kept = ['%05d' % n for n in range(125_000)]\nawait ask(1)",
    'one of 30 in a gather': 'import asyncio\nawait asyncio.gather(ask(1), *[work(n) for n in range(29)])',
    '30 of 30 in a gather': 'import asyncio\nawait asyncio.gather(*[ask(n) for n in range(30)])',
}
LOOP = 'for n in range(30):\n    await work(n)'


def tools(*, approval: bool) -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()

    @toolset.tool_plain
    async def work(n: int) -> int:
        return n

    @toolset.tool_plain(requires_approval=approval)
    async def ask(n: int) -> int:
        return n

    assert callable(work)
    assert callable(ask)
    return toolset


def agent_of(code: str, *, approval: bool = True, store: SnapshotStore | None = None) -> Agent[object, Any]:
    """Return an agent whose model sends the code and then answers with its result."""
    snapshots = Snapshots(key='benchmark', store=store)
    return Agent(
        script_model(code),
        deps_type=object,
        output_type=[str, DeferredToolRequests],
        toolsets=[CodeModeToolset(tools(approval=approval), snapshots=snapshots)],
    )


async def timed(action: Callable[[], Awaitable[Any]]) -> float:
    """Return the median milliseconds of an action, after one run that is not counted."""
    await action()
    times = list[float]()
    for _ in range(ROUNDS):
        started = time.perf_counter()
        await action()
        times.append((time.perf_counter() - started) * 1000)
    return median(times)


async def pauses() -> None:
    """Print the size and cost of a pause, by shape of the script."""
    print(
        f'{"script":24}{"snapshot":>10}{"request":>10}'
        f'{"straight":>11}{"to pause":>11}{"to go on":>11}{"both/straight":>15}'
    )
    for name, code in SHAPES.items():
        straight = await timed(lambda code=code: agent_of(code, approval=False).run('go'))
        agent = agent_of(code)
        to_pause = await timed(lambda agent=agent: agent.run('go'))
        first = await agent.run('go')
        requests = first.output
        assert isinstance(requests, DeferredToolRequests)
        decided = resolve(requests, {call.tool_call_id: True for call in pending_calls(requests)})

        async def go_on(agent: Agent[object, Any] = agent, first: Any = first, decided: Any = decided) -> None:
            result = await agent.run(message_history=first.all_messages(), deferred_tool_results=decided)
            assert isinstance(result.output, str)

        to_go_on = await timed(go_on)
        (metadata,) = requests.metadata.values()
        snapshot = len(metadata['toolscript_snapshot'])
        request = len(TypeAdapter(DeferredToolRequests).dump_json(requests))
        ratio = (to_pause + to_go_on) / straight
        print(
            f'{name:24}{snapshot:8} B{request:8} B{straight:8.1f} ms{to_pause:8.1f} ms{to_go_on:8.1f} ms{ratio:14.1f}x'
        )


@contextmanager
def stores() -> Generator[dict[str, SnapshotStore | None]]:
    with tempfile.TemporaryDirectory() as folder:
        sqlite = SqliteStore(f'{folder}/normal.db')
        power_safe = SqliteStore(f'{folder}/safe.db', power_safe=True)
        yield {
            'no store': None,
            'MemoryStore': MemoryStore(),
            'SqliteStore': sqlite,
            'SqliteStore, power_safe': power_safe,
            'DirectoryStore': DirectoryStore(Path(folder) / 'files'),
        }
        sqlite.close()
        power_safe.close()


async def prices() -> None:
    """Print the cost of a store for a script of 30 sequential calls."""
    print(f'\n{"30 calls in a row":26}{"time":>10}{"ratio":>8}{"per call":>12}')
    with stores() as every:
        base = 0.0
        for name, store in every.items():
            took = await timed(lambda store=store: agent_of(LOOP, store=store).run('go'))
            base = base or took
            print(f'{name:26}{took:7.1f} ms{took / base:7.1f}x{(took - base) / 30:9.2f} ms')


async def main() -> None:
    await pauses()
    await prices()


if __name__ == '__main__':
    asyncio.run(main())
