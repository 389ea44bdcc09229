"""Calls whose coroutines the script never awaited (`transforms/calls.py` puts them off)."""

from __future__ import annotations

from pydantic_monty import AsyncMontySession, MontyError

from toolscript_sandbox.serialization.crossing import to_json
from toolscript_sandbox.transforms.tree import polyfill

_POLYFILL = 'coroutines'


def defers(text: str) -> bool:
    """Whether the code to run puts calls off."""
    return f'{polyfill(_POLYFILL, "later")}(' in text or f'{polyfill(_POLYFILL, "function")}(' in text


async def left_behind(worker: AsyncMontySession) -> list[tuple[str, int]]:
    """The functions whose calls were not awaited, and the lines of the code that made the calls."""
    try:
        found = await worker.feed_run(f'{polyfill(_POLYFILL, "left")}()', skip_type_check=True)
    except MontyError:
        return []
    return [(str(name), int(line)) for name, line in to_json(found)]
