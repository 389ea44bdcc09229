"""What the agent's scripts may call."""

import asyncio
import os
from pathlib import Path

from toolscript import FunctionToolset

VERSION = os.environ.get('VERSION', '1')
"""Of the tools: a deploy in the middle of a script changes it."""


def note(line: str) -> None:
    """Leave a line in the ledger, if there is one."""
    if (ledger := os.environ.get('LEDGER')) is not None:
        with Path(ledger).open('a') as file:
            file.write(f'{line}\n')


desk = FunctionToolset[object](id='desk')


@desk.tool_plain(metadata={'read_only': True})
async def price(product: int) -> int:
    """What a product costs."""
    note(f'price {product} in {os.getpid()}')
    await asyncio.sleep(0.2)
    note(f'priced {product} in {os.getpid()}')
    return 10 * product


@desk.tool_plain(requires_approval=True)
async def pay(amount: int) -> str:
    """Pay."""
    note(f'pay {amount}')
    return f'paid {amount}'


@desk.tool_plain
async def file_receipt(text: str) -> str:
    """Keep a receipt."""
    note(f'file {text}')
    return f'{text}, filed by version {VERSION}'
