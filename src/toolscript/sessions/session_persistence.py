"""The persistent variables of one owner in one run.

They are read before the run's first request, so that the model knows which exist. The first script locks and loads them
for this run; they are stored when a script has ended. If another run changed them in between, the model wrote its
script for outdated variables, and the script is refused before anything runs.
"""

import asyncio
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import UserError
from pydantic_ai.messages import MultiModalContent

from toolscript.routing.placement import RUN_CODE
from toolscript.run_code.functions import CodeFunctions
from toolscript_sandbox import SavedSession, Session, StateError, Unavailable, can_be_loaded
from toolscript_signatures import with_visible

from .session_store import Found, Gone, SessionStore, StoredSession, files_that_fit, tools_named
from .sessions import Sessions


@dataclass(frozen=True)
class StartingVariables:
    """The state of the variables when the first script of a run starts."""

    stored: StoredSession | None
    """The session that was loaded; `None` if there is none."""
    changed: str
    """Why the script must not run: its model saw outdated variables. Empty if it may run."""


@dataclass
class SessionPersistence:
    sessions: Sessions
    store: SessionStore
    locks: bool = True
    """Whether to lock them; only possible if the end of the run is observed."""
    begun: bool = False
    """Whether a script of the run has loaded them."""
    shown: str | None = None
    """The description that the model first read; `None` before that."""
    names: frozenset[str] = frozenset()
    """The names of variables that the model read about; a script that uses one must wait until it is loaded."""
    number: int = 0
    """The number of the session that was stored last."""
    _shown_number: int = 0
    """The value of `number` at that time."""
    _copy: str = ''
    """Why the run works with a copy, which is not stored; empty if it does not use a copy."""
    _left_out: frozenset[str] = frozenset()
    _copy_reported: bool = False
    _is_lost: bool = False
    """Whether a denied script took the run's session along."""
    _lock: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def look(self, functions: CodeFunctions[Any]) -> str:
        """Return the description for the model, the same in each step of the run; empty if there are no variables."""
        if self.shown is None:
            found = await self.store.find()
            self.shown, self._shown_number = _line(found, found.newest, functions), found.number
            variables = () if found.newest is None else found.newest.variables
            self.names = frozenset(variable.partition(':')[0] for variable in variables)
        return self.shown

    async def begin(
        self, session: Session, script: str, functions: CodeFunctions[Any], *, load: bool, since: int | None = None
    ) -> StartingVariables:
        """Lock the variables for the run when its first script starts, and set them if `load` is true.

        A script that resumes has them already; `since` is the number of the last stored session when it paused.
        """
        again, self._is_lost = self._is_lost, False
        if not again:
            self._copy = '' if await self._locked() else _COPY
        found = await self.store.find()
        is_own, self.number = again and found.number == self.number, found.number
        if since is not None and _is_outdated(found, since, script):
            # Never overwrite what other runs stored in the meantime with older variables.
            self._copy = _OVERTAKEN
        # Without a request before it in this run, the script may have ended in a process that stored no answer.
        stored = found.at_start_of(script) if self.shown is None else found.newest
        line = _line(found, stored, functions)
        usable = stored if load and stored is not None and _reason(stored, functions) is None else None
        if usable is not None:
            try:
                await session.load(usable.state, functions)
            except StateError as error:
                _logger.warning('Stored variables were discarded: %s', error)
                usable, line = None, _gone('the sandbox could not load them')
        self.begun = True
        is_unchanged = is_own or (line == self.shown and found.number == self._shown_number)
        is_news = load and self.shown is not None and not is_unchanged
        return StartingVariables(usable, _changed(line) if is_news else '')

    async def save(
        self,
        session: Session,
        script: str,
        names: Iterable[str],
        files: dict[str, MultiModalContent],
        functions: CodeFunctions[Any],
        saved_functions: Mapping[str, str],
    ) -> str:
        """Store the variables after a script has ended. Returns a message for the model, usually an empty one.

        `names` are the Python names of tools in this script and earlier ones. `saved_functions` has the digests of the
        texts of saved functions among the variables, by name.
        """
        if self._copy:
            news, self._copy_reported = '' if self._copy_reported else self._copy, True
            return news
        try:
            stored = await session.dump(self.sessions.max_bytes)
        except Unavailable:
            # Leaving out what is too large takes another worker. The result must reach the model all the same.
            _logger.exception('The variables of a run could not be reduced to what fits')
            return _NOT_KEPT
        if stored is None:
            return await self._forget(script) if session.variables else ''
        self.names = frozenset(one.name for one in stored.variables)
        fitting = files_that_fit(files, self.sessions.max_bytes - len(stored.state))
        record = StoredSession(
            number=self.number + 1,
            after=script,
            saved_at=self.store.now(),
            variables=tuple(str(one) for one in stored.variables if one.name not in saved_functions),
            state=stored.state,
            tools=tools_named(names, functions.catalog),
            files=fitting,
            saved_functions=dict(saved_functions),
        )
        return self._news(stored, files.keys() - fitting.keys()) if await self._put(record) else _NOT_KEPT

    def reload(self) -> None:
        """Let the next script load the variables again, because the session with them is gone."""
        self._is_lost, self.begun = self._is_lost or self.begun, False

    async def close(self) -> None:
        await self._lock.aclose()

    async def _forget(self, script: str) -> str:
        """Store an empty session, so that outdated variables are not mistaken for current ones."""
        nothing = StoredSession(self.number + 1, script, self.store.now(), (), b'')
        return _ALL_TOO_LARGE if await self._put(nothing) else _NOT_KEPT

    async def _put(self, record: StoredSession) -> bool:
        try:
            await self.store.put(record)
        except UserError:
            raise
        except Exception:
            # The script has ended, so its result must reach the model.
            _logger.exception('The variables of a run could not be stored')
            return False
        self.number = record.number
        return True

    def _news(self, stored: SavedSession, files: Iterable[str]) -> str:
        left_out = frozenset([*(variable.name for variable in stored.too_large), *files])
        is_new, self._left_out = not left_out <= self._left_out, left_out
        if not is_new:
            return ''
        things = [*map(str, stored.too_large), *(f'the file {name}' for name in sorted(files))]
        return with_visible(f'Too large to be stored for later turns: {"; ".join(things[:_MAX_SHOWN])}.')

    async def _locked(self) -> bool:
        """Return whether the run has locked them, after waiting if necessary."""
        if not self.locks:
            return True
        # A script that was cancelled while it loaded them has left its lock.
        await self.close()
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
                self._lock = stack.pop_all()
            return held


def _is_outdated(found: Found, since: int, script: str) -> bool:
    own = found.newest is not None and found.newest.after == script
    return found.number > since and not own


def _line(found: Found, stored: StoredSession | None, functions: CodeFunctions[Any]) -> str:
    """Return the description of the variables, or the reason why there are none."""
    if found.gone is not None:
        return _gone(_WHY[found.gone])
    if stored is None:
        return ''
    return _reason(stored, functions) or _there(stored.variables, functions.shown_name(RUN_CODE))


def _reason(stored: StoredSession, functions: CodeFunctions[Any]) -> str | None:
    """Return why the variables are not loaded, or `None`."""
    if not stored.state:
        return _gone('they were too large to be stored')
    if not can_be_loaded(stored.state):
        return _gone(_WHY['another version'])
    changed = stored.changed_tools(functions.catalog)
    if not changed:
        return None
    return _gone(f'{", ".join(changed)} is now another function, and they may call it')


_FIRST_PAUSE = 0.01
_LONGEST_PAUSE = 0.5
_logger = logging.getLogger('toolscript.sessions')
_COPY = (
    'Another run of this conversation is using the variables of earlier turns. This run works with a copy of them, '
    'and its changes are not stored.'
)
_OVERTAKEN = (
    'Another run changed the variables of earlier turns while this script waited. Later turns find its variables; '
    'those of this run are not stored.'
)
_NOT_KEPT = 'The variables could not be stored. Later turns find those that were stored before.'
_ALL_TOO_LARGE = 'All variables are too large to be stored for later turns.'
_WHY: dict[Gone, str] = {
    'expired': 'they have expired',
    'not trusted': 'the stored data is invalid',
    'another version': 'another version of the sandbox stored them',
}
_RESULT = re.compile(r'result_(\d{1,9}):')
_RESULTS = 5
_MAX_SHOWN = 50
_ROOM = 2_000
"""How many characters of variables the model reads."""


def _there(variables: Sequence[str], run_code: str) -> str:
    """Return the existing variables in one line; empty if there are none."""
    if not variables:
        return ''
    shown, room = list[str](), _ROOM
    for variable in _named_first(variables)[:_MAX_SHOWN]:
        room -= len(variable)
        if room < 0:
            break
        shown.append(variable)
    more = [f'and {len(variables) - len(shown)} more'] if len(shown) < len(variables) else []
    return with_visible(f'Variables of earlier turns are set in {run_code}: {"; ".join([*shown, *more])}.')


def _named_first(variables: Sequence[str]) -> list[str]:
    """Return the variables that the model named, and the latest of the results that were named automatically."""
    numbers = {variable: int(found[1]) for variable in variables if (found := _RESULT.match(variable))}
    latest = sorted(numbers, key=lambda variable: -numbers[variable])[:_RESULTS]
    return [*(variable for variable in variables if variable not in numbers), *latest]


def _gone(why: str) -> str:
    return f'The variables of earlier turns are gone: {why}. Set again what you need.'


def _changed(line: str) -> str:
    now = line or 'There are no variables of earlier turns now.'
    return (
        f'Nothing was run: the variables of earlier turns changed while you wrote this script. {now} Write a '
        'script for these.'
    )
