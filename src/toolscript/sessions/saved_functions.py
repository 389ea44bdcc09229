"""Which functions stay, for whom, and who may keep new ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from pydantic_ai import RunContext, UserError

from toolscript.checks import at_least, instance_of, one_of
from toolscript.stores import FunctionStore

from .function_store import FunctionsOfOwner
from .saved_function import SavedFunction, functions_of

Scope: TypeAlias = Literal['conversation', 'user', 'all']


@dataclass(frozen=True)
class SavedFunctions:
    """Python functions that scripts find in later runs: those that scripts keep in a store, and those of a folder.

    With a store, scripts have `await save_function(function, description)`. Texts stand in the store as they are: who
    may write there writes functions that scripts call, with the rights of those scripts.
    """

    store: FunctionStore | None = None
    """Where scripts keep functions; `None`: they keep none."""
    scope: Literal['conversation', 'user', 'all'] = 'conversation'
    """Who finds what a script keeps: later runs of its conversation, all runs of its user, or all runs."""
    owner: Callable[[RunContext[Any]], str | None] | None = None
    """For `scope='user'`: who the user of a run is, as a text: `lambda ctx: ctx.deps.user_id`. A run of which it says
    `None` finds nothing of a store and keeps nothing."""
    folder: Path | str | None = None
    """A folder of `.py` files, whose functions all runs find. It is read once, here."""
    approve: bool | None = None
    """Whether somebody has to approve what a script keeps. By default that is so with `scope='all'`."""
    defer_loading: bool = True
    """Whether functions are searched for, as deferred tools are; otherwise all of them are listed in `run_code`."""
    max_functions: int = 1_000
    """How many functions one owner, or the folder, may have."""
    max_versions: int = 20
    """How many versions of a function are kept; the oldest go."""
    max_chars: int = 10_000
    """How long a function may be."""
    registered: Mapping[str, SavedFunction] = field(init=False, repr=False, compare=False)
    """Those of the folder, by name."""

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        one_of('SavedFunctions(scope=...)', self.scope, get_args(Scope))
        for setting in ('max_functions', 'max_versions', 'max_chars'):
            at_least(f'SavedFunctions({setting}=...)', getattr(self, setting), 1)
        if self.store is None and self.folder is None:
            raise UserError(
                'SavedFunctions() keeps nothing: give it a store, SavedFunctions(SqliteStore(...)), or a folder=.'
            )
        if self.store is not None:
            instance_of('SavedFunctions(store=...)', self.store, FunctionStore)
        if (self.scope == 'user') != (self.owner is not None):
            raise UserError(
                "SavedFunctions(scope='user') needs owner=, and no other scope takes it: a function of the RunContext "
                'that names the user, such as owner=lambda ctx: ctx.deps.user_id.'
            )
        registered: Mapping[str, SavedFunction] = {}
        if self.folder is not None:
            registered = functions_of(Path(self.folder), most=self.max_functions, most_chars=self.max_chars)
        object.__setattr__(self, 'registered', registered)

    @property
    def asks(self) -> bool:
        """Whether saving needs an approval."""
        return self.scope == 'all' if self.approve is None else self.approve

    def shelf(self, ctx: RunContext[Any]) -> FunctionsOfOwner:
        """The functions that a run finds.

        Raises:
            UserError: `owner` gave what is no text, or an empty one.
        """
        if self.scope == 'all':
            return self._shelf('')
        owner = ctx.conversation_id if self.owner is None else self.owner(ctx)
        if owner is not None and not _is_text(owner):
            raise UserError(
                f'SavedFunctions(owner=...) gave {owner!r}; it must give a text that names the user, or None.'
            )
        return self._shelf(owner)

    # -- for the application

    async def saved(self, owner: str | None = None) -> list[SavedFunction]:
        """The newest version of every function that scripts have kept.

        Args:
            owner: The `conversation_id`, or what `owner` gives; nothing with `scope='all'`.
        """
        return [*(await self._shelf_of(owner).stored()).values()]

    async def versions(self, name: str, owner: str | None = None) -> list[SavedFunction]:
        """Every version of a function that is still there, the oldest first."""
        return await self._shelf_of(owner).versions(name)

    async def restore(self, name: str, version: int, owner: str | None = None) -> SavedFunction:
        """An old version again, as the newest.

        Raises:
            KeyError: There is no such version.
        """
        return await self._shelf_of(owner).restore(name, version)

    async def delete(self, name: str, owner: str | None = None) -> int:
        """Remove every version of a function; how many there were.

        Scripts that begin from now on do not find it; one that runs or waits continues with what it has.
        """
        return await self._shelf_of(owner).delete(name)

    def _shelf_of(self, owner: str | None) -> FunctionsOfOwner:
        if self.store is None:
            raise UserError('SavedFunctions(folder=...) alone has no store: change the files of the folder instead.')
        if (owner is None) != (self.scope == 'all'):
            takes = 'no owner' if self.scope == 'all' else 'the owner, a conversation_id or what owner= gives'
            raise UserError(f'With SavedFunctions(scope={self.scope!r}) this takes {takes}.')
        return self._shelf('' if owner is None else owner)

    def _shelf(self, owner: str | None) -> FunctionsOfOwner:
        return FunctionsOfOwner.of(
            self.scope,
            owner,
            self.store,
            self.registered,
            max_functions=self.max_functions,
            max_versions=self.max_versions,
        )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ''
