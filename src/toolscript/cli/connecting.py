"""The servers of a target, connected together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toolscript.cli.troubles import why

if TYPE_CHECKING:
    from toolscript.cli.target import Source, Target


@dataclass(frozen=True)
class Connected:
    """A target while its servers run."""

    sources: tuple[Source, ...]
    """Those that can be used."""
    down: Mapping[str, str]
    """Why each of the others cannot, by name."""
    release: Callable[[], Awaitable[None]]
    """Leaves the servers to whoever has entered them meanwhile; those that nobody has end."""


@asynccontextmanager
async def connected(target: Target, logs: Path | None = None) -> AsyncGenerator[Connected]:
    """Start all servers of a target at once, and end them afterwards. One that cannot be had does not keep the others.

    Args:
        target: What to connect.
        logs: Where `load_target` let servers write their standard error.
    """
    down: dict[str, str] = {}
    done = asyncio.Event()
    settled = {source.name: asyncio.Event() for source in target.sources}

    async def hold(source: Source) -> None:
        # What connects has to disconnect: the client's tasks belong to the task that started them.
        try:
            async with source.toolset:
                settled[source.name].set()
                await done.wait()
        except Exception as error:
            # One that is down by now has told it to whoever called it.
            if not settled[source.name].is_set():
                down[source.name] = why(error, source, logs)
        finally:
            settled[source.name].set()

    async def release() -> None:
        done.set()
        await asyncio.gather(*servers, return_exceptions=True)

    servers = [asyncio.create_task(hold(source)) for source in target.sources]
    try:
        await asyncio.gather(*(event.wait() for event in settled.values()))
        yield Connected(tuple(source for source in target.sources if source.name not in down), down, release)
    finally:
        await release()
