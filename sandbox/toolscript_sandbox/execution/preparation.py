"""The stages of a script before it runs: asked and prepared."""

import io
import tokenize
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import add
from typing import Any, NamedTuple, TypeVar

from toolscript_sandbox.checking.check_policy import CheckedScript, wrong
from toolscript_sandbox.checking.checker import CheckContext, Diagnostic
from toolscript_sandbox.checking.cost import MAX_NESTED, cost_of
from toolscript_sandbox.contract.errors import SnippetError
from toolscript_sandbox.contract.functions import Function, Functions
from toolscript_sandbox.contract.limits import Limits
from toolscript_sandbox.contract.outcomes import Failed
from toolscript_sandbox.event_loop.on_threads import run_in_thread
from toolscript_sandbox.language.fences import unfenced
from toolscript_sandbox.language.refusals import Refused
from toolscript_sandbox.language.snippet import Snippet
from toolscript_sandbox.messages.report import Report, from_refusals, from_syntax
from toolscript_sandbox.transforms.preparation import prepared

from .memory import Memory, named_functions

T = TypeVar('T')


class Asked(NamedTuple):
    """A script that a session was asked to run, and its environment."""

    code: str
    functions: Functions
    limits: Limits
    inputs: Mapping[str, Any]
    """Variables that are set for this script."""
    memory: Memory
    has_files: bool = False
    """Whether the script sees folders."""

    @property
    def known(self) -> frozenset[str]:
        """All variables that the script finds."""
        return self.memory.variables.union(self.inputs)

    def prepared(self) -> 'Prepared | Failed':
        """Prepare the script, or return why it is refused."""
        if len(self.code) > self.limits.max_code_chars:
            most = f'{self.limits.max_code_chars:,}'
            return self._refused(
                SnippetError('limit', f'The script is longer than {most} characters (max_code_chars). Split it.')
            )
        try:
            if has_long_f_string(self.code):
                return self._refused(SnippetError('limit', _LONG_F_STRING))
            ready = self._ready()
        except Refused as error:
            return self._refused(from_refusals(error.refusals, unfenced(self.code)[0]))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return self._refused(from_syntax(error, self.code))
        named = named_functions(ready.snippet, self.known, self.functions)
        context = self.memory.context(ready.snippet, named, frozenset(self.inputs))
        cost = reduce(add, map(cost_of, (ready.snippet.checked.text, *context.history)))
        if cost.nested > MAX_NESTED:
            return self._refused(SnippetError('types', _NESTED.format(cost=cost, most=MAX_NESTED)))
        return Prepared(self, ready, named, context, is_heavy=not cost.is_light)

    def _ready(self) -> '_Ready':
        """Return the prepared script, from a cache if the same text was prepared in the same environment.

        Models resend a script because a tool failed, engines replay one, and many users ask one agent the same.
        """
        key = self.code, self.memory, frozenset(self.inputs), self.has_files
        slot = _slot(key) if len(self.code) <= _LONGEST_KEPT else list[_Ready]()
        if slot and all(self.functions.get(name) == answer for name, answer in slot[0].answers.items()):
            return slot[0]
        noted = _RecordingFunctions(self.functions)
        earlier = replace(self.memory, variables=self.known)
        snippet = prepared(self.code, noted, earlier, has_files=self.has_files)
        named_functions(snippet, self.known, noted)
        slot[:] = [_Ready(snippet, noted.answers)]
        return slot[0]

    def _refused(self, error: SnippetError) -> Failed:
        return Failed(self.code, (), '', (), error, session_lost=False)


@dataclass
class _Ready:
    """A prepared script, the functions that it was prepared for, and the checker's findings."""

    snippet: Snippet
    answers: Mapping[str, Function | None]
    findings: list[Diagnostic] | None = None
    """The findings; None if no check has finished yet."""


class _RecordingFunctions:
    """Functions that record which ones were looked up, without their validators, which belong to a run."""

    def __init__(self, functions: Functions) -> None:
        self.answers = dict[str, Function | None]()
        self._functions = functions

    def get(self, name: str, /) -> Function | None:
        found = self._functions.get(name)
        self.answers[name] = None if found is None else replace(found, validate=None)
        return found

    def hint(self, name: str, /) -> str | None:
        """Return the hint about a name. Only refused scripts need it, and they are not cached."""
        return self._functions.hint(name)


@lru_cache(maxsize=128)
def _slot(_: Hashable) -> list[_Ready]:
    """Return a slot for the value of a key, as long as the key was used recently."""
    return []


def has_long_f_string(code: str) -> bool:
    """Return if Python would be slow to parse an f-string: before 3.12 it searches each field from the beginning."""
    if code.count('{') * len(code) < _FIELDS_TIMES_CHARS:
        return False
    with suppress(tokenize.TokenError, SyntaxError):
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.STRING and token.string.count('{') * len(token.string) > _FIELDS_TIMES_CHARS:
                return True
    return False


class Prepared(NamedTuple):
    """A script that is ready to be checked."""

    asked: Asked
    ready: _Ready
    named: tuple[Function, ...]
    """The host functions that the script names."""
    context: CheckContext
    """What the checker must know."""
    is_heavy: bool
    """Whether the check may take long."""

    @property
    def snippet(self) -> Snippet:
        return self.ready.snippet

    @property
    def memory(self) -> Memory:
        """The memory of the session after the script has run to its end."""
        # A variable that was set for this script hides a function from it, not from the next one.
        memory = self.asked.memory
        return memory.after(self.snippet, named_functions(self.snippet, memory.variables, self.asked.functions))

    def refusal(self, findings: Iterable[Diagnostic]) -> Failed | None:
        """Return why the script may not run, according to the findings; None if it may. Raises `Unchecked`."""
        asked, memory = self.asked, self.asked.memory
        hosts = {function.name: function for function in self.named}
        script = CheckedScript(self.snippet, asked.functions, hosts, memory.history, asked.known)
        found = wrong(script, findings)
        if found:
            stubs = [function.stub for function in (*memory.functions, *self.named)]
            report = Report(self.snippet, asked.functions, asked.limits, asked.known)
            return self.refused(report.from_types(found, stubs))
        return None

    def refused(self, error: SnippetError) -> Failed:
        """Return the outcome of the script if it may not run for this reason."""
        snippet = self.snippet
        return Failed(snippet.text, snippet.fixes, '', (), error, session_lost=False, executed_code=snippet.awaiting)


async def in_thread_if_long(chars: int, work: Callable[[], T]) -> T:
    """Run `work`, on a thread if this many characters would block the event loop too long."""
    return await run_in_thread(work, long=chars > _LONG_CHARS) if chars > ON_LOOP_CHARS else work()


_LONGEST_KEPT = 8_000
"""The maximum length of a script that is cached, in characters."""
_FIELDS_TIMES_CHARS = 300_000_000
"""The product of fields and characters for which Python's parser takes a tenth of a second."""
_LONG_F_STRING = """\
An f-string has too many fields in braces. Build the text in parts, with a loop and ''.join(parts).
Nothing was run."""
_NESTED = """\
Functions are nested {cost.nested} deep; {most} are allowed. Write them side by side.
Nothing was run."""
ON_LOOP_CHARS = 4_000
"""The length of a script that takes about fifteen milliseconds to prepare."""
_LONG_CHARS = 4 * ON_LOOP_CHARS
"""Shorter scripts do not wait for one that is longer than this."""
