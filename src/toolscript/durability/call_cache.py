"""Keeps the calls of a script from running twice."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from pydantic_ai.messages import ToolCallPart
from pydantic_core import to_json

from toolscript.approvals.pending import PendingCall, digest
from toolscript.routing.effects import Effect
from toolscript_sandbox import ToolError

from .journal import Entry, Finished, Journal, Journaled, Line, Raised, Started, Waits
from .remembered import Memory, Remembered, Result


class TooLate(asyncio.CancelledError):
    """The script of the call has ended: the call ends as if it had not swallowed the cancellation that it got."""


@dataclass(frozen=True)
class Outgoing:
    """A call on its way to a tool."""

    number: int
    """Its place among the calls of the snippet, from 1."""
    part: ToolCallPart
    may_run_again: bool
    """Whether a second identical call does no harm."""
    effect: Effect = 'unknown'
    """What it does to the world."""
    line: int | None = None
    """The line of the model's code that makes it."""

    @property
    def only_reads(self) -> bool:
        """Whether it changes nothing, by the tool's marks."""
        return self.may_run_again and self.effect == 'reads'

    @cached_property
    def digest(self) -> str:
        """The same for identical calls only: of the arguments that it has when somebody first asks."""
        return digest(self.part.tool_name, self.part.args_as_dict())


@dataclass
class Once:
    """What is known of the calls of one script: from its journal, and from snippets that failed before it."""

    memory: Memory
    journal: Journal | None = None
    reuse: bool = True
    """Whether the results of failed snippets' calls are used."""
    resumed: bool = False
    """Whether the journal may hold entries from before."""
    journaled: Journaled = field(default_factory=dict[str, list[Line]])
    """What is known of an earlier life of which only the journal is left; its calls need not have the same numbers."""
    unjournaled: int = 0
    """Up to which number calls may have run without an entry, because the journal was lost."""
    plan: frozenset[str] = frozenset()
    """Tools that the script may call, as far as its text says."""
    reused: list[int] = field(default_factory=list[int])
    """Numbers of the calls that were answered without running."""
    is_closed: bool = False
    """Whether the script has ended: what its tools do now is nothing that anybody may hear of, or that may begin."""

    def meets(self, call: Outgoing) -> None:
        """To be told of a call before anybody else has it: capabilities may write other arguments into it.

        Whether it ran before is asked of what the script wrote, so that is what it is known by.
        """
        if self.journal is not None or not call.may_run_again:
            _ = call.digest

    @property
    def may_be_recorded(self) -> bool:
        """Whether anything is known of calls that ran before the process died."""
        return self.resumed or bool(self.journaled or self.unjournaled)

    async def recorded(self, call: Outgoing) -> Entry | None:
        """What became of the call before the process died; `None` if it is to run now."""
        entry = await self.journal.read(call.number, call.digest) if self.journal and self.resumed else None
        if entry is None:
            entry = self._from_earlier_life(call)
        if entry is None and call.number <= self.unjournaled:
            entry = Started()
        return None if isinstance(entry, Started) and call.may_run_again else entry

    def _from_earlier_life(self, call: Outgoing) -> Entry | None:
        queue = self.journaled.get(call.digest) if self.journaled else None
        return queue.pop(0).entry if queue else None

    def outcome(self, call: Outgoing, entry: Finished | Raised | Started) -> Result:
        """The result of a recorded call.

        Raises:
            ToolError: It failed, or nobody knows what it did.
        """
        match entry:
            case Finished(result):
                self._finished(call, result)
                self.reused.append(call.number)
                return result
            case Raised(type_name, message):
                self._failed(call, type_name)
                self.reused.append(call.number)
                raise ToolError(type_name, message)
            case Started():
                raise unknown_outcome(call.part)

    def remembered(self, call: Outgoing) -> Result | None:
        """The result of an identical call of a snippet that failed; `None` if the call is to run now.

        Raises:
            ToolError: Nobody knows what that call did, or what it gave may no longer be so.
        """
        if not self.reuse or call.may_run_again or not self.memory.earlier:
            return None
        remembered = self.memory.next_of(call.digest)
        if remembered is not None and remembered.result is not None:
            self._refuse_outdated(call, remembered, remembered.result)
        remembered = self.memory.recall(call.digest)
        if remembered is None:
            return None
        if remembered.result is None:
            raise unknown_outcome(call.part)
        if call.effect != 'reads':
            self.memory.replayed = max(self.memory.replayed, remembered.began)
        self.memory.finish(call.number, remembered)
        self.reused.append(call.number)
        return remembered.result

    async def starts(self, call: Outgoing) -> None:
        """To be told before the tool is called."""
        if self.is_closed:
            raise TooLate
        if not call.may_run_again:
            began = self.memory.tick()
            self.memory.start(call.number, Remembered(call.part.tool_name, call.digest, began=began))
            if self.journal is not None:
                await self.journal.write(call.number, _line(call, Started()))

    async def finishes(self, call: Outgoing, result: Result) -> None:
        """To be told when a call has ended well, before the script hears of it."""
        self._finished(call, result)
        if self.journal is not None:
            await self.journal.write(call.number, _line(call, Finished(result)))

    async def fails(self, call: Outgoing, error: ToolError) -> None:
        """To be told when a call has ended with an exception."""
        self._failed(call, error.type_name)
        if self.journal is not None:
            await self.journal.write(call.number, _line(call, Raised(error.type_name, error.message)))

    async def waits(self, call: Outgoing, pending: PendingCall) -> None:
        """To be told when a call turns out to wait for the outside."""
        self.memory.drop(call.number)
        if self.journal is not None:
            await self.journal.write(call.number, _line(call, Waits(pending)))

    def leave(self) -> None:
        """To be told when the script has failed: what an earlier life did, and this one did not, is remembered."""
        number = 0
        for line in chain.from_iterable(self.journaled.values()):
            number -= 1
            match line.entry:
                case Finished(result):
                    self.memory.finish(number, Remembered(line.tool_name, line.digest, result))
                case Started():
                    self.memory.start(number, Remembered(line.tool_name, line.digest))
                case _:
                    pass
        self.journaled = {}

    def _finished(self, call: Outgoing, result: Result) -> None:
        ended, started = self.memory.tick(), self.memory.running.get(call.number)
        began = ended if started is None else started.began
        if call.effect != 'reads':
            # One that failed is taken at its word: it did nothing.
            self.memory.change(call.part.tool_name, began)
        if not call.may_run_again:
            remembered = Remembered(call.part.tool_name, call.digest, result, began=began, ended=ended)
            self.memory.finish(call.number, remembered)

    def _refuse_outdated(self, call: Outgoing, remembered: Remembered, result: Result) -> None:
        """Refuse to answer from memory what the world may answer otherwise by now; what acts has acted for good."""
        since = None if call.effect == 'acts' else self.memory.since(remembered, self.plan)
        if since is not None:
            self.memory.outdated.add(call.digest)
            raise outdated_result(call.part, result, since)

    def _failed(self, call: Outgoing, type_name: str) -> None:
        self.memory.drop(call.number)
        if type_name == 'TimeoutError' and not call.may_run_again:
            # The script was told, but what the call did until then, and what it still does, nobody knows.
            self.memory.finish(call.number, Remembered(call.part.tool_name, call.digest))


def _line(call: Outgoing, entry: Entry) -> Line:
    return Line(call.digest, entry, call.part.tool_name)


def outdated_result(part: ToolCallPart, result: Result, since: Sequence[str]) -> ToolError:
    """The exception for a call that ran, whose result may no longer be so: a `RuntimeError`."""
    value = to_json(result.value).decode(errors='replace')
    told = value if len(value) <= _MOST_TOLD else f'{value[:_MOST_TOLD]}…'
    others = f'{", ".join(since[:_MOST_NAMED])} ran' if since else 'Other calls ran'
    return ToolError(
        'RuntimeError',
        f'{part.tool_name} ran already with these arguments, in a script that failed, and gave {told}. {others} since, '
        f'so that may no longer be so; and nothing says that {part.tool_name} only reads, so it was not run again. Use '
        'that value; or call it in a later script, which runs it again.',
    )


_MOST_TOLD = 200
_MOST_NAMED = 5


def unknown_outcome(part: ToolCallPart) -> ToolError:
    """The exception for a call that may have happened: a `RuntimeError` whose message starts with its name."""
    return ToolError(
        'UnknownOutcome',
        f'{part.tool_name} with these arguments was still running when the script was interrupted, so it may or may '
        'not have happened. It was not run again. Find out first; a later script may call it once more.',
    )
