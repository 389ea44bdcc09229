"""A script that the model is still writing."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import Any, Generic

from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import AgentDepsT
from pydantic_core import from_json

from toolscript.guards import fields
from toolscript.run_code.functions import CodeFunctions
from toolscript_sandbox import NameKind, Session, SpeculativeCall, Speculator, Tracing

from .speculation import Speculations


def code_so_far(arguments: str | dict[str, Any] | None) -> str:
    """Return the beginning of the code from unfinished arguments: from JSON, or on some wires from an object."""
    if isinstance(arguments, str):
        try:
            arguments = from_json(arguments, allow_partial='trailing-strings')
        except ValueError:
            return ''
    code = fields(arguments).get('code')
    return code if isinstance(code, str) else ''


def ends_a_line(arguments: str, start: int) -> bool:
    """Return whether JSON text may have gained a line end since it had `start` characters."""
    more = arguments[max(0, start - len(_ESCAPED) + 1) :]
    return '\\n' in more or _ESCAPED in more


_ESCAPED = '\\u000a'


class PartialScript(Generic[AgentDepsT]):
    """Starts the reads of a script while it is being written, each once all code before it was checked."""

    def __init__(
        self,
        run_code_id: str,
        functions: CodeFunctions[AgentDepsT],
        kind_of: Callable[[str], NameKind | None],
        calls: Speculations[AgentDepsT],
        session: Callable[[], Awaitable[Session]],
        *,
        most_calls: int,
        tracing: Tracing | None = None,
        stops: re.Pattern[str] | None = None,
    ) -> None:
        """`session` returns the session in which the script will run; its worker is started early.

        Nothing starts after a match of `stops` in the code.
        """
        self._stops = stops
        self.run_code_id: str = run_code_id
        self._functions = functions
        self._calls = calls
        self._session = session
        self._tracing = tracing and replace(tracing, attributes={**tracing.attributes, 'toolscript.speculative': True})
        self._foresight = Speculator(kind_of, most_calls)
        self.is_closed: bool = False
        """Whether no more of its reads may start."""
        self._seen = 0
        self._code = ''
        self._waiting = list[SpeculativeCall]()
        self._refusals = 0
        self._checking: asyncio.Task[None] | None = None
        self._warming = asyncio.create_task(self._warmed())

    def written(self, part: ToolCallPart) -> None:
        self.run_code_id = part.tool_call_id
        if self.is_closed or self._foresight.over or not self._has_news(part.args):
            return
        code = code_so_far(part.args)
        stop = None if self._stops is None else self._stops.search(code)
        code = code if stop is None else code[: stop.start()]
        self._waiting += self._foresight.written(code)
        self._code = code[: self._foresight.end]
        if self._waiting and (self._checking is None or self._checking.done()):
            self._checking = asyncio.create_task(self._checked())

    def _has_news(self, arguments: str | dict[str, Any] | None) -> bool:
        if not isinstance(arguments, str):
            return True
        seen, self._seen = self._seen, len(arguments)
        return ends_a_line(arguments, seen)

    async def begins(self, code: str) -> Speculations[AgentDepsT]:
        """Return the started calls for the script that is about to run; discards them if it is another script."""
        self.is_closed = True
        await self._calls.settle()
        # Not cancelled, because interrupting them costs a process, and the script is about to need it.
        await asyncio.wait([self._warming, *([] if self._checking is None else [self._checking])])
        if not code.startswith(self._code):
            await self._calls.discard()
        return self._calls

    async def close(self) -> None:
        """End what still runs, and wait until it has ended."""
        self.is_closed = True
        await self._calls.discard()
        await _ended(self._warming)
        if self._checking is not None:
            await _ended(self._checking)

    async def _checked(self) -> None:
        session, checked = await self._session(), ''
        while self._waiting and checked != self._code and self._refusals < _MAX_REFUSALS:
            checked, count = self._code, len(self._waiting)
            refused = await session.check(checked, self._functions, tracing=self._tracing)
            if self.is_closed:
                return
            if refused is not None:
                # Later code may make it valid: a function, for example, that is used above its definition.
                self._refusals += 1
                continue
            for call in self._waiting[:count]:
                self._calls.start(call)
            del self._waiting[:count]

    async def _warmed(self) -> None:
        await (await self._session()).warm()


def words_of_files(variables: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that matches wherever a script writes to files, or uses variables of the run, which may."""
    words = '|'.join(map(re.escape, [*_OF_FILES, *sorted(variables)]))
    return re.compile(rf'\b(?:{words})\b')


_OF_FILES = ('open', 'pathlib', 'Path', 'os', 'path')
_MAX_REFUSALS = 3


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])
    # An error here occurs again in the script's own check, which reports it.
    _ = task.cancelled() or task.exception()
