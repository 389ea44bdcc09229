"""Settings of saved functions: where they are stored, who can find them, and who may save new ones."""

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from pydantic_ai import RunContext, UserError

from toolscript.checks import at_least, instance_of, named_owner, not_a_path, one_of
from toolscript.stores.store import FunctionStore

from .saved_function import SavedFunction, functions_of

T = TypeVar('T')
Scope: TypeAlias = Literal['conversation', 'user', 'all']
MANY = 50
"""The number of texts from which parsing would block the event loop too long."""
_logger = logging.getLogger('toolscript.functions')


@dataclass(frozen=True)
class SavedFunctions:
    """Python functions that scripts can use in later runs, from a store, where scripts save them, and from a folder.

    With a store, scripts have `await save_function(function, description)`. The store contains plain text. Anyone who
    can write to it can write functions that scripts call, with the permissions of those scripts.
    """

    store: FunctionStore | None = None
    """The store in which scripts save functions; with `None`, scripts cannot save any."""
    scope: Literal['conversation', 'user', 'all'] = 'conversation'
    """Who can use a saved function: later runs of its conversation, all runs of its user, or all runs."""
    owner: Callable[[RunContext[Any]], str | None] | None = None
    """For `scope='user'`: returns the user of a run as text: `lambda ctx: ctx.deps.user_id`. If it returns `None`, the
    run neither finds nor saves functions in the store."""
    folder: Path | str | None = None
    """A folder of `.py` files whose functions are available in all runs. It is read once, on creation."""
    approve: bool | None = None
    """Whether saving needs approval. By default, only `scope='all'` does."""
    defer_loading: bool = True
    """Whether functions are deferred and searched for, like tools; otherwise `run_code` lists all of them."""
    max_functions: int = 1_000
    """The maximum number of functions of one owner, or of the folder."""
    max_versions: int = 20
    """The number of stored versions of each function; the oldest are removed."""
    max_chars: int = 10_000
    """The maximum length of a function."""
    registered: Mapping[str, SavedFunction] = field(init=False, repr=False, compare=False)
    """The functions in the folder, by name."""

    def __post_init__(self) -> None:
        one_of('SavedFunctions(scope=...)', self.scope, get_args(Scope))
        for setting in ('max_functions', 'max_versions', 'max_chars'):
            at_least(f'SavedFunctions({setting}=...)', getattr(self, setting), 1)
        if self.store is None and self.folder is None:
            raise UserError('SavedFunctions() needs a store, SavedFunctions(SqliteStore(...)), or a folder=.')
        if self.store is not None:
            not_a_path('SavedFunctions(store=...)', self.store)
            instance_of('SavedFunctions(store=...)', self.store, FunctionStore)
        if (self.scope == 'user') != (self.owner is not None):
            raise UserError(
                "SavedFunctions(scope='user') needs owner=, and no other scope takes it: a function of the RunContext "
                'that names the user, such as owner=lambda ctx: ctx.deps.user_id.'
            )
        registered: Mapping[str, SavedFunction] = {}
        if self.folder is not None:
            registered = functions_of(Path(self.folder), max_functions=self.max_functions, max_chars=self.max_chars)
        object.__setattr__(self, 'registered', registered)

    @property
    def asks(self) -> bool:
        """Whether saving needs an approval."""
        return self.scope == 'all' if self.approve is None else self.approve

    def of_run(self, ctx: RunContext[Any]) -> 'FunctionsOfOwner':
        """Return the functions that are available in a run.

        Raises:
            UserError: `owner` returned an empty text, or no text.
        """
        if self.scope == 'all':
            return FunctionsOfOwner(self, '')
        owner = ctx.conversation_id if self.owner is None else named_owner('SavedFunctions', self.owner(ctx))
        return FunctionsOfOwner(self, owner)

    # -- for the application

    async def saved(self, owner: str | None = None) -> list[SavedFunction]:
        """Return the newest version of every saved function.

        Args:
            owner: The `conversation_id`, or the value that `owner` returns; omit it with `scope='all'`.
        """
        return [*(await self._of(owner).stored()).values()]

    async def versions(self, name: str, owner: str | None = None) -> list[SavedFunction]:
        """Return all stored versions of a function, oldest first."""
        return await self._of(owner).versions(name)

    async def restore(self, name: str, version: int, owner: str | None = None) -> SavedFunction:
        """Save an old version again, as the newest one.

        Raises:
            KeyError: The version does not exist.
        """
        functions = self._of(owner)
        old = {function.version: function for function in await functions.versions(name)}[version]
        try:
            return await functions.save(old, may_replace=True)
        except NotSaved as error:
            raise UserError(f'{name} was not restored: {error}') from error

    async def delete(self, name: str, owner: str | None = None) -> int:
        """Remove every version of a function and return how many there were.

        New scripts cannot find it. A script that runs or waits continues with its version.
        """
        functions = self._of(owner)
        return 0 if functions.store is None else await _explained(functions.store.remove_versions(functions.key, name))

    def _of(self, owner: str | None) -> 'FunctionsOfOwner':
        if self.store is None:
            raise UserError('SavedFunctions(folder=...) alone has no store: change the files of the folder instead.')
        if (owner is None) != (self.scope == 'all'):
            takes = 'no owner' if self.scope == 'all' else 'the owner: a conversation_id, or what owner= returns'
            raise UserError(f'With SavedFunctions(scope={self.scope!r}), pass {takes}.')
        return FunctionsOfOwner(self, '' if owner is None else owner)


class NotSaved(Exception):
    """A function was not saved; the message says why, and what to do."""


@dataclass(frozen=True)
class FunctionsOfOwner:
    """The functions in a folder, and those of one owner in a store."""

    settings: SavedFunctions
    owner: str | None
    """`None` if the run has no owner."""

    @property
    def store(self) -> FunctionStore | None:
        return None if self.owner is None else self.settings.store

    @property
    def key(self) -> str:
        digest = hashlib.sha256((self.owner or '').encode()).hexdigest()[:40]
        return f'functions.{self.settings.scope}.{digest}'

    @property
    def may_save(self) -> bool:
        return self.store is not None

    async def all(self) -> dict[str, SavedFunction]:
        """Return all functions by name; those in the folder come before those in the store."""
        return {**self.settings.registered, **await self.stored(), **self.settings.registered}

    async def find(self, names: Collection[str]) -> dict[str, SavedFunction]:
        found = {name: self.settings.registered[name] for name in names if name in self.settings.registered}
        others = [name for name in names if name not in found]
        return {**found, **(await self.stored(others) if others else {})}

    async def stored(self, names: Collection[str] | None = None) -> dict[str, SavedFunction]:
        """Return the newest version of every function in the store, or of those with these names."""
        if self.store is None:
            return {}
        texts = await _explained(self.store.newest_versions(self.key, names))
        work = lambda: _read((name, version, text) for name, (version, text) in texts.items())  # noqa: E731
        functions = await asyncio.to_thread(work) if len(texts) > MANY else work()
        return {function.name: function for function in functions}

    async def versions(self, name: str) -> list[SavedFunction]:
        if self.store is None:
            return []
        texts = await _explained(self.store.all_versions(self.key, name))
        return _read((name, version, text) for version, text in texts.items())

    async def save(self, function: SavedFunction, *, may_replace: bool) -> SavedFunction:
        """Save a function as a new version, unless the newest version is the same. Returns the stored function.

        Raises:
            NotSaved: The limit is reached, the name is taken, or another run saved the function first.
            UserError: The store failed.
        """
        store = self.store
        if store is None:
            raise NotSaved('owner= returned no owner for this run.')
        if function.name in self.settings.registered:
            raise NotSaved(f"{function.name} is one of the application's own functions; save yours under another name.")
        before = await self.stored()
        newest = before.get(function.name)
        if newest is not None and (newest.code, newest.description) == (function.code, function.description):
            return newest
        if newest is not None and not may_replace:
            raise NotSaved(
                f'a saved function {function.name} exists already (version {newest.version}: {newest.description}'
                '). Use another name, or replace=True for a new version.'
            )
        if newest is None and len(before) >= self.settings.max_functions:
            raise NotSaved(f'there are {len(before):,} saved functions already, which is the limit.')
        # Versions that cannot be read have numbers, too.
        numbers = await _explained(store.all_versions(self.key, function.name))
        number = 1 + max([0 if newest is None else newest.version, *numbers])
        saved = replace(function, version=number, saved_at=time.time())
        if not await _explained(store.put_version(self.key, saved.name, saved.version, saved.to_text())):
            raise NotSaved(f'another run saved {saved.name} at the same time; read that one, and save again.')
        if number > self.settings.max_versions:
            await _explained(store.remove_versions(self.key, saved.name, number - self.settings.max_versions))
        return saved


def _read(texts: Iterable[tuple[str, int, str]]) -> list[SavedFunction]:
    found = [(name, version, _function(text)) for name, version, text in texts]
    for name, version, function in found:
        if function is None or (function.name, function.version) != (name, version):
            _logger.warning('Version %s of function %s in the store is invalid and was skipped', version, name)
    return [f for name, version, f in found if f is not None and (f.name, f.version) == (name, version)]


@lru_cache(maxsize=20_000)
def _function(text: str) -> SavedFunction | None:
    return SavedFunction.from_text(text)


async def _explained(work: Awaitable[T]) -> T:
    try:
        return await work
    except Exception as error:
        raise UserError(
            f'The store of saved functions failed: {type(error).__name__}: {error}. When it works, run the agent again.'
        ) from error
