"""The variables of one owner in one run of it.

They are looked at before the run's first request, to tell the model what is there. The first script claims them, for
this run alone, and finds them set; what each script leaves is kept when it has ended. Where another run has had them in
between, the script was written for other variables than it would find, and is refused before anything runs.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import UserError
from pydantic_ai.messages import MultiModalContent

from toolscript.routing.placement import RUN_CODE
from toolscript.run_code.functions import CodeFunctions
from toolscript_sandbox import SavedSession, Session, StateError, can_be_loaded

from . import messages as told
from .session_store import Found, SessionStore, StoredSession, files_that_fit, tools_named
from .sessions import Sessions


@dataclass(frozen=True)
class Begun:
    """What the first script of a run found."""

    kept: StoredSession | None
    """What is set now; `None`: nothing."""
    changed: str
    """Why the script is not to run: it was written for other variables. Empty where it was not."""


@dataclass
class SessionPersistence:
    """What one run has of them."""

    sessions: Sessions
    store: SessionStore
    claims: bool = True
    """Whether it is known when the run ends; otherwise the run cannot keep others away from them."""
    begun: bool = False
    """Whether a script of the run has them."""
    told: str | None = None
    """What the model read of them at first; `None`: it was not."""
    names: frozenset[str] = frozenset()
    """Of the variables that the model read of; a script that uses one must wait until it is there."""
    number: int = 0
    """That of what was kept last."""
    _told_number: int = 0
    """That of what was kept last then."""
    _copy: str = ''
    """Why the run works with a copy, which is not kept; empty where it does not."""
    _left_out: frozenset[str] = frozenset()
    _told_of_copy: bool = False
    _claim: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def look(self, functions: CodeFunctions[Any]) -> str:
        """What the model is to be told in this run, the same in each step; empty where there is nothing to tell.

        Raises:
            UserError: The store failed.
        """
        if self.told is None:
            found = await self.store.find()
            self.told, self._told_number = _line(found, found.newest, functions), found.number
            variables = () if found.newest is None else found.newest.variables
            self.names = frozenset(variable.partition(':')[0] for variable in variables)
        return self.told

    async def begin(
        self, session: Session, script: str, functions: CodeFunctions[Any], *, load: bool, since: int | None = None
    ) -> Begun:
        """Have the variables, from the run's first script on, which finds them set where it is to `load` them.

        Args:
            session: One that has run nothing yet.
            script: What the script is known by.
            functions: What it may call.
            load: Whether it starts; one that continues has brought its variables along.
            since: The number of what was kept last when it paused.

        Raises:
            UserError: The store failed.
        """
        self._copy = '' if await self._claimed() else told.COPY
        found = await self.store.find()
        self.number = found.number
        if since is not None and _was_overtaken(found, since, script):
            # What others kept meanwhile is not written over with what was before it.
            self._copy = told.OVERTAKEN
        # Without a request before it in this run, it may be one that ended in another process, which kept no answer.
        kept = found.at_start_of(script) if self.told is None else found.newest
        line = _line(found, kept, functions)
        usable = kept if load and kept is not None and _reason(kept, functions) is None else None
        if usable is not None:
            try:
                await session.load(usable.state, functions)
            except StateError as error:
                _logger.warning('Stored variables were discarded: %s', error)
                usable, line = None, told.gone('the sandbox could not load them')
        self.begun = True
        is_news = load and self.told is not None and (line != self.told or found.number != self._told_number)
        return Begun(usable, told.changed(line) if is_news else '')

    async def keep(
        self,
        session: Session,
        script: str,
        names: Iterable[str],
        files: dict[str, MultiModalContent],
        functions: CodeFunctions[Any],
        kept_functions: Mapping[str, str],
    ) -> str:
        """Keep what a script that has ended left. What the model is to be told of it; mostly nothing.

        Args:
            session: Where it ran.
            script: What it is known by.
            names: The Python names of tools in it and in those before it.
            files: Those that its variables may stand for.
            functions: What it could call.
            kept_functions: Those among its variables that are kept elsewhere, with the digests of their texts.
        """
        if self._copy:
            news, self._told_of_copy = '' if self._told_of_copy else self._copy, True
            return news
        kept = await session.dump(self.sessions.max_bytes)
        if kept is None:
            return await self._forget(script) if session.variables else ''
        fitting = files_that_fit(files, self.sessions.max_bytes - len(kept.state))
        record = StoredSession(
            number=self.number + 1,
            after=script,
            saved_at=self.store.now(),
            variables=tuple(str(one) for one in kept.variables if one.name not in kept_functions),
            state=kept.state,
            tools=tools_named(names, functions.catalog),
            files=fitting,
            kept_functions=dict(kept_functions),
        )
        return self._news(kept, files.keys() - fitting.keys()) if await self._put(record) else told.NOT_KEPT

    async def close(self) -> None:
        """The run is over: others may have the variables."""
        await self._claim.aclose()

    async def _forget(self, script: str) -> str:
        """Keep that nothing could be kept: what was before would be taken for what is now."""
        nothing = StoredSession(self.number + 1, script, self.store.now(), (), b'')
        return told.ALL_TOO_LARGE if await self._put(nothing) else told.NOT_KEPT

    async def _put(self, record: StoredSession) -> bool:
        try:
            await self.store.put(record)
        except UserError:
            raise
        except Exception:
            # The script has ended, and what it did must reach the model.
            _logger.exception('The variables of a run could not be stored')
            return False
        self.number = record.number
        return True

    def _news(self, kept: SavedSession, files: Iterable[str]) -> str:
        left_out = frozenset([*(variable.name for variable in kept.too_large), *files])
        is_new, self._left_out = not left_out <= self._left_out, left_out
        if not is_new:
            return ''
        return told.too_large([*map(str, kept.too_large), *(f'the file {name}' for name in sorted(files))])

    async def _claimed(self) -> bool:
        """Whether the run has them for itself, after some waiting if need be."""
        if not self.claims:
            return True
        clock = asyncio.get_running_loop().time
        deadline, pause = clock() + self.sessions.wait.total_seconds(), _FIRST_PAUSE
        while not await self._try():
            left = deadline - clock()
            if left <= 0:
                return False
            await asyncio.sleep(min(left, pause))
            pause = min(2 * pause, _LONGEST_PAUSE)
        return True

    async def _try(self) -> bool:
        async with AsyncExitStack() as stack:
            try:
                held = await stack.enter_async_context(self.store.lock())
            except Exception as error:
                raise UserError(f'The variables of earlier runs could not be locked: {error}.') from error
            if held:
                self._claim = stack.pop_all()
            return held


def _was_overtaken(found: Found, since: int, script: str) -> bool:
    own = found.newest is not None and found.newest.after == script
    return found.number > since and not own


def _line(found: Found, kept: StoredSession | None, functions: CodeFunctions[Any]) -> str:
    """What there is, or why there is nothing."""
    if found.gone is not None:
        return told.gone_because(found.gone)
    if kept is None:
        return ''
    return _reason(kept, functions) or told.there(kept.variables, functions.shown_name(RUN_CODE))


def _reason(kept: StoredSession, functions: CodeFunctions[Any]) -> str | None:
    """Why the variables are not taken up."""
    if not kept.state:
        return told.gone('they were too large to be stored')
    if not can_be_loaded(kept.state):
        return told.gone_because('another version')
    changed = kept.changed_tools(functions.catalog)
    return told.gone_with_tools(changed) if changed else None


_FIRST_PAUSE = 0.01
_LONGEST_PAUSE = 0.5
_logger = logging.getLogger('toolscript.sessions')
