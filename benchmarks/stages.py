"""How each stage's processor time grows with its input: `python -m benchmarks.stages`.

Each stage gets inputs of one size, twice and four times that size. Its growth is the exponent of the size: 1.0 is
linear, 2.0 quadratic. Times are the minimum of several repeats and include worker processes.
"""

from __future__ import annotations

import argparse
import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from pydantic_ai.tools import ToolDefinition

from benchmarks.new_scripts import processor_time
from tests.sandbox.tables import Table
from toolscript.catalog.tool_specs import catalog_of
from toolscript.search import Document, build_index
from toolscript_sandbox import Sandbox, truncate
from toolscript_sandbox.transforms.preparation import prepared

_TIMES = (1, 2, 4)
_BAR = 40
"""The longest bar, in characters."""


def _script(lines: int, seed: int) -> str:
    body = [f"row_{n} = {{'id': {n + seed}, 'total': sum([{n}, 2]), 'name': f'row {{{n}}}'}}" for n in range(lines)]
    return '\n'.join([*body, f'row_{lines - 1}'])


def _tools(count: int, seed: int) -> list[ToolDefinition]:
    schema = {'type': 'object', 'properties': {'order_id': {'type': 'integer'}, 'note': {'type': 'string'}}}
    return [
        ToolDefinition(
            name=f'change_order_{seed}_{n}',
            parameters_json_schema=schema,
            description=f'Change order {n} of customer {seed}, and say why.',
        )
        for n in range(count)
    ]


def _documents(count: int, seed: int) -> list[Document]:
    return [Document(tool.name, tool.description) for tool in _tools(count, seed)]


def _rows(count: int, seed: int) -> list[dict[str, Any]]:
    return [{'id': n + seed, 'name': f'customer {n}', 'total': n * 1.5} for n in range(count)]


def _rendered(tools: Sequence[ToolDefinition]) -> None:
    catalog_of(tools).render()


def _answer(rows: Sequence[Mapping[str, Any]]) -> None:
    truncate(rows, max_chars=20_000, name='rows')


async def _checked(sandbox: Sandbox, code: str) -> None:
    async with sandbox.session() as session:
        failed = await session.check(code, Table())
        assert failed is None, failed


Action = Callable[[], object]


def _stages(sandbox: Sandbox) -> Mapping[str, tuple[int, Callable[[int, int], Action]]]:
    """Return each stage's smallest size and its work at a size; a seed makes the input of each repeat new."""

    def search(count: int, seed: int) -> Callable[[], object]:
        index = build_index('ranked', _documents(count, 0))
        return lambda: [index.search(f'why was order {seed} changed for customer {n}', limit=5) for n in range(20)]

    return {
        'prepare, lines of a script': (200, lambda n, seed: partial(prepared, _script(n, seed), Table())),
        'check, lines of a script': (100, lambda n, seed: partial(_checked, sandbox, _script(n, seed))),
        'render, tools': (500, lambda n, seed: partial(_rendered, _tools(n, seed))),
        'index, tools': (500, lambda n, seed: partial(build_index, 'ranked', _documents(n, seed))),
        'twenty searches, tools': (2_000, search),
        'answer, rows of a result': (20_000, lambda n, seed: partial(_answer, _rows(n, seed))),
    }


async def _measured(repeats: int) -> None:
    async with Sandbox() as sandbox:
        for name, (size, at) in _stages(sandbox).items():
            times = [min([await _taken(at(size * times, seed)) for seed in range(repeats)]) for times in _TIMES]
            growth = math.log(times[-1] / times[0], _TIMES[-1])
            print(f'{name}: grows with the power {growth:.2f}')
            for more, taken in zip(_TIMES, times, strict=True):
                print(f'  {size * more:>7,} {taken * 1000:9.1f} ms {"█" * max(1, round(_BAR * taken / times[-1]))}')


async def _taken(action: Action) -> float:
    before = processor_time()
    result = action()
    if isinstance(result, Awaitable):
        await result
    return processor_time() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n')[0])
    parser.add_argument('--repeats', type=int, default=5)
    asyncio.run(_measured(parser.parse_args().repeats))


if __name__ == '__main__':
    main()
