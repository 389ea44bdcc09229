"""The stores that must all pass the same tests."""

import secrets
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from toolscript import DirectoryStore, MemoryStore, SqliteStore

StoreMaker: TypeAlias = Callable[..., Any]
"""Creates a store in a folder. Stores created in the same folder share their data, except those in memory."""


class PlainStore:
    """A minimal store of two methods."""

    def __init__(self) -> None:
        self.texts = dict[str, str]()

    async def save(self, key: str, text: str, /) -> None:
        self.texts[key] = text

    async def load(self, key: str, /) -> str | None:
        return self.texts.get(key)


@pytest.fixture(
    params=['memory', 'directory', 'sqlite', 'power-safe', pytest.param('postgres', marks=pytest.mark.postgres)]
)
def make(request: pytest.FixtureRequest) -> Generator[StoreMaker]:
    """Yields a maker for every store in turn."""
    made, schema = list[Any](), f'test_{secrets.token_hex(6)}'
    url = request.getfixturevalue('postgres').url if request.param == 'postgres' else ''

    def maker(folder: Path, **options: Any) -> Any:
        match request.param:
            case 'memory':
                return MemoryStore()
            case 'directory':
                return DirectoryStore(folder / 'files', **options)
            case 'postgres':
                from toolscript.postgres import PostgresStore

                store = PostgresStore(url, schema=schema, **options)
            case _:
                store = SqliteStore(folder / 'state.db', power_safe=request.param == 'power-safe', **options)
        made.append(store)
        return store

    yield maker
    for store in made:
        store.close()
