"""The stage of runs: it opens worlds, one after the other."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from pydantic_ai.mcp import MCPToolset

from evals.tasks.task import WorldName
from evals.worlds.analytics import open_analytics
from evals.worlds.files import FilesWorld, file_server, fill
from evals.worlds.office import open_office
from evals.worlds.shop_world import open_shop
from evals.worlds.world import World


@dataclass
class Stage:
    """Opens a new copy of each world. The file server, which is slow to start, is kept running."""

    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    _files: MCPToolset[object] | None = None
    _folder: Path = field(default_factory=Path)

    async def __aenter__(self) -> Self:
        self._folder = Path(self._stack.enter_context(TemporaryDirectory(prefix='evals-')))
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._stack.aclose()

    @asynccontextmanager
    async def world(self, name: WorldName) -> AsyncGenerator[World]:
        """Yields a world in its initial state."""
        match name:
            case 'shop':
                with TemporaryDirectory(dir=self._folder) as folder:
                    yield open_shop(Path(folder))
            case 'office':
                yield open_office()
            case 'analytics':
                yield open_analytics()
            case 'files':
                folder = self._folder / 'files'
                fill(folder)
                yield FilesWorld(folder, await self._file_server(folder))

    async def _file_server(self, folder: Path) -> MCPToolset[object]:
        if self._files is None:
            self._files = await self._stack.enter_async_context(file_server(folder))
        return self._files
