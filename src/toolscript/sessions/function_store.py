"""The functions that the runs of one owner find."""

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from pydantic_ai import UserError

from toolscript.stores import FunctionStore

from .saved_function import SavedFunction

T = TypeVar('T')


class NotSaved(Exception):
    """A function was not kept; the text says why, and what to do."""


@dataclass(frozen=True)
class FunctionsOfOwner:
    """The functions of a folder, and those of one owner in a store."""

    registered: Mapping[str, SavedFunction]
    store: FunctionStore | None
    """`None`: the run has no owner, or there is no store."""
    owner: str
    """What the store knows the owner by."""
    max_functions: int
    max_versions: int

    @classmethod
    def of(
        cls,
        scope: str,
        owner: str | None,
        store: FunctionStore | None,
        registered: Mapping[str, SavedFunction],
        *,
        max_functions: int,
        max_versions: int,
    ) -> 'FunctionsOfOwner':
        """The shelf of an owner in a scope; `None`: of nobody."""
        digest = hashlib.sha256((owner or '').encode()).hexdigest()[:40]
        return cls(
            registered, None if owner is None else store, f'functions.{scope}.{digest}', max_functions, max_versions
        )

    @property
    def may_save(self) -> bool:
        """Whether scripts can keep functions here."""
        return self.store is not None

    async def all(self) -> dict[str, SavedFunction]:
        """Every function, by name: those of the folder, then those of the store."""
        return {**self.registered, **{n: f for n, f in (await self.stored()).items() if n not in self.registered}}

    async def find(self, names: Collection[str]) -> dict[str, SavedFunction]:
        """The functions of these names, as they are now."""
        found = {name: self.registered[name] for name in names if name in self.registered}
        others = [name for name in names if name not in found]
        return {**found, **(await self.stored(others) if others else {})}

    async def stored(self, names: Collection[str] | None = None) -> dict[str, SavedFunction]:
        """The newest version of every function in the store, or of these.

        Raises:
            UserError: The store failed.
        """
        if self.store is None:
            return {}
        texts = await _explained(self.store.newest_versions(self.owner, names))
        work = lambda: _read((name, version, text) for name, (version, text) in texts.items())  # noqa: E731
        functions = await asyncio.to_thread(work) if len(texts) > MANY else work()
        return {function.name: function for function in functions}

    async def versions(self, name: str) -> list[SavedFunction]:
        """Every version of a function in the store, the oldest first."""
        if self.store is None:
            return []
        texts = await _explained(self.store.all_versions(self.owner, name))
        return _read((name, version, text) for version, text in texts.items())

    async def save(self, function: SavedFunction, *, may_replace: bool) -> SavedFunction:
        """Keep a function as a new version; as it is there, where the newest version is the same.

        Raises:
            NotSaved: There is no room, or one of that name, or somebody was faster.
            UserError: The store failed.
        """
        store = self.store
        if store is None:
            raise NotSaved('functions of this run cannot be kept: nobody is known whose they would be.')
        if function.name in self.registered:
            raise NotSaved(f"{function.name} is one of the application's own functions; save yours by another name.")
        before = await self.stored()
        newest = before.get(function.name)
        if newest is not None and (newest.code, newest.description) == (function.code, function.description):
            return newest
        if newest is not None and not may_replace:
            raise NotSaved(
                f'there is a kept function {function.name} already (version {newest.version}: {newest.description}). '
                'Save by another name, or with replace=True to put a new version in its place.'
            )
        if newest is None and len(before) >= self.max_functions:
            raise NotSaved(f'there are {len(before):,} kept functions, which is all that there is room for.')
        number = 1 + max([0 if newest is None else newest.version, *await self._numbers(function.name)])
        saved = replace(function, version=number, saved_at=time.time())
        if not await _explained(store.put_version(self.owner, saved.name, saved.version, saved.to_text())):
            raise NotSaved(f'somebody else saved {saved.name} at this moment; look at that one, and save again.')
        if number > self.max_versions:
            await _explained(store.remove_versions(self.owner, saved.name, number - self.max_versions))
        return saved

    async def restore(self, name: str, version: int) -> SavedFunction:
        """An old version again, as the newest. Raises `KeyError` where there is none."""
        old = {function.version: function for function in await self.versions(name)}[version]
        try:
            return await self.save(old, may_replace=True)
        except NotSaved as error:
            raise UserError(f'{name} was not restored: {error}') from error

    async def delete(self, name: str) -> int:
        """Remove every version of a function; how many there were."""
        return 0 if self.store is None else await _explained(self.store.remove_versions(self.owner, name))

    async def _numbers(self, name: str) -> Iterable[int]:
        # What cannot be read has a number all the same.
        return () if self.store is None else await _explained(self.store.all_versions(self.owner, name))


def _read(texts: Iterable[tuple[str, int, str]]) -> list[SavedFunction]:
    found = [(name, version, _function(text)) for name, version, text in texts]
    for name, version, function in found:
        if function is None or (function.name, function.version) != (name, version):
            _logger.warning(
                'What the store has as version %s of the function %s is none; it is left out', version, name
            )
    return [f for name, version, f in found if f is not None and (f.name, f.version) == (name, version)]


@lru_cache(maxsize=20_000)
def _function(text: str) -> SavedFunction | None:
    return SavedFunction.from_text(text)


async def _explained(work: Awaitable[T]) -> T:
    try:
        return await work
    except Exception as error:
        raise UserError(
            f'The store of kept functions failed: {type(error).__name__}: {error}. Once it works, run the agent again.'
        ) from error


MANY = 50
"""So many texts take as long to read as others would wait for the event loop."""
_logger = logging.getLogger('toolscript.functions')
