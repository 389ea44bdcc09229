"""How much sooner an answer comes if reads start while the model still writes: with `SpeculativeReads`, and without.

    python benchmarks/early.py
    python benchmarks/early.py --tokens-per-second 50 100 --milliseconds 50 200 1000 2000 --rounds 5

A scripted model streams its script at a fixed number of tokens per second (of four characters each), and tools sleep
for a fixed number of milliseconds. It prints the median duration with `SpeculativeReads` as a fraction of that without.
Both ways alternate. Everything sleeps, so other work on the machine hardly matters.
"""

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

from pydantic_ai import Agent, ModelMessage, Tool
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from pydantic_ai.toolsets import FunctionToolset

from toolscript import CodeModeToolset, Sandbox, SpeculativeReads

_CHARS_PER_TOKEN = 4

_REPORT = """
lines = []
total = 0
for row in rows:
    for item in row['items']:
        price = item['price'] * item['count']
        if price > 100:
            lines.append(f"{row['name']}: {item['name']} costs {price}")
        total += price
lines.sort()
average = total / max(1, len(lines))
{'lines': lines[:10], 'total': total, 'average': round(average, 2)}
"""
"""The code in which scripts use what they read: about a hundred tokens."""

SCRIPTS = {
    'one read': "row = await read(key='7')\nrows = [row]" + _REPORT,
    'chain of three reads': (
        "first = await read(key='7')\n"
        "second = await read(key=first['next'])\n"
        "third = await read(key=second['next'])\n"
        'rows = [first, second, third]' + _REPORT
    ),
    'fan-out over five keys': (
        "keys = ['1', '2', '3', '4', '5']\nrows = await asyncio.gather(*[read(key=key) for key in keys])" + _REPORT
    ),
    'a read, and a fan-out over what it gave': (
        "found = await read(key='7')\n"
        "rows = await asyncio.gather(*[read(key=item['name']) for item in found['items']])" + _REPORT
    ),
    'five reads in a row': "rows = [await read(key=key) for key in ['1', '2', '3', '4', '5']]" + _REPORT,
    'nothing that may start': "rows = [await act(key='7'), await read(key='8')]" + _REPORT,
}


@dataclass(frozen=True)
class Pace:
    tokens_per_second: float
    milliseconds: float
    """The time that a tool takes."""


def tools(pace: Pace) -> FunctionToolset[object]:
    async def read(key: str) -> dict[str, object]:
        """Read one row."""
        await asyncio.sleep(pace.milliseconds / 1000)
        items = [{'name': f'{key}{n}', 'price': 60 * n, 'count': 2} for n in range(4)]
        return {'name': key, 'next': f'{key}+', 'items': items}

    async def act(key: str) -> dict[str, object]:
        """Do something."""
        return await read(key)

    return FunctionToolset[object]([Tool(read, metadata={'read_only': True}), act])


def writer(script: str, pace: Pace) -> FunctionModel:
    """Return a model that writes the script token by token, then says that it is done."""

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        if len(messages) > 1:
            yield 'done'
            return
        yield {0: DeltaToolCall('run_code', '', tool_call_id='script')}
        text, begun = json.dumps({'code': script}), time.perf_counter()
        for start in range(0, len(text), _CHARS_PER_TOKEN):
            due = begun + start / _CHARS_PER_TOKEN / pace.tokens_per_second
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            yield {0: DeltaToolCall(json_args=text[start : start + _CHARS_PER_TOKEN])}

    return FunctionModel(stream_function=stream)


async def seconds(script: str, pace: Pace, *, early: bool) -> float:
    capabilities: list[AbstractCapability[object]] = [SpeculativeReads()] if early else []
    agent = Agent(writer(script, pace), toolsets=[CodeModeToolset(tools(pace))], capabilities=capabilities)
    begun = time.perf_counter()
    async with agent.run_stream('go') as result:
        await result.get_output()
    return time.perf_counter() - begun


async def ratio(script: str, pace: Pace, rounds: int) -> tuple[float, float]:
    """Return the median time without `SpeculativeReads`, and the time with it as a fraction of that."""
    without, with_it = list[float](), list[float]()
    for _ in range(rounds):
        without.append(await seconds(script, pace, early=False))
        with_it.append(await seconds(script, pace, early=True))
    return statistics.median(without), statistics.median(with_it) / statistics.median(without)


async def main() -> None:
    """Print a table for each speed of writing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tokens-per-second', type=float, nargs='+', default=[75.0])
    parser.add_argument('--milliseconds', type=float, nargs='+', default=[50.0, 200.0, 500.0, 1000.0, 2000.0])
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--cases', nargs='+', choices=list(SCRIPTS), default=list(SCRIPTS))
    options = parser.parse_args()
    async with Sandbox.shared():
        await seconds('1', Pace(1000, 0), early=True)
        for speed in options.tokens_per_second:
            print(f'\n{speed:g} tokens a second; time with SpeculativeReads : without (seconds without)\n')
            print('| script | tokens |' + ''.join(f' {each:g} ms |' for each in options.milliseconds))
            print('|---|---:|' + '---:|' * len(options.milliseconds))
            for name in options.cases:
                script = SCRIPTS[name]
                cells = [await ratio(script, Pace(speed, each), options.rounds) for each in options.milliseconds]
                row = ''.join(f' {part:.2f} ({whole:.1f}) |' for whole, part in cells)
                print(f'| {name} | {len(script) // _CHARS_PER_TOKEN} |{row}', flush=True)


if __name__ == '__main__':
    asyncio.run(main())
