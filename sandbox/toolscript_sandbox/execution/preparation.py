"""What a snippet is from stage to stage: asked for, prepared, checked. Each is made of the one before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from toolscript_sandbox.checking.check_policy import wrong
from toolscript_sandbox.checking.checker import Context, Diagnostic, Unchecked
from toolscript_sandbox.checking.provided import is_provided
from toolscript_sandbox.checking.unawaited import unawaited
from toolscript_sandbox.checking.unknown_names import unknown_names
from toolscript_sandbox.contract.errors import SnippetError
from toolscript_sandbox.contract.functions import HOST, Function, Functions
from toolscript_sandbox.contract.limits import Limits
from toolscript_sandbox.contract.outcomes import Failed
from toolscript_sandbox.event_loop.on_threads import aside
from toolscript_sandbox.language.fences import unfenced
from toolscript_sandbox.language.refusals import Refused
from toolscript_sandbox.language.snippet import Snippet
from toolscript_sandbox.language.syntax import tree_of
from toolscript_sandbox.messages.report import Report, from_refusals, from_syntax

from .memory import Memory, named_functions
from .prepared_snippets import prepared_once

T = TypeVar('T')


@dataclass(frozen=True)
class Asked:
    """What a session was asked to run, and what it finds."""

    code: str
    functions: Functions
    limits: Limits
    inputs: Mapping[str, Any]
    """Variables that are set for it."""
    memory: Memory
    ordered: bool = False
    """Whether it may be replayed."""
    has_files: bool = False
    """Whether there are folders that it sees."""

    @property
    def known(self) -> frozenset[str]:
        """All variables that it finds."""
        return self.memory.bound.union(self.inputs)

    def prepared(self) -> Prepared | Failed:
        """The snippet, written so that it runs."""
        if len(self.code) > self.limits.max_code_chars:
            most = f'{self.limits.max_code_chars:,}'
            return _refused(
                self.code, SnippetError('limit', f'The snippet is longer than {most} characters (max_code_chars).')
            )
        try:
            snippet = prepared_once(
                self.code,
                self.functions,
                self.known,
                self.memory,
                ordered=self.ordered,
                has_files=self.has_files,
            )
        except Refused as error:
            return _refused(self.code, from_refusals(error.refusals, unfenced(self.code)[0]))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return _refused(self.code, from_syntax(error, self.code))
        named = named_functions(snippet, self.known, self.functions)
        context = self.memory.context(snippet, named, frozenset(self.inputs))
        return Prepared(self, snippet, named, context)


@dataclass(frozen=True)
class Prepared:
    """Ready to be checked."""

    asked: Asked
    snippet: Snippet
    named: tuple[Function, ...]
    """The host functions that it names."""
    context: Context
    """What the checker must know."""

    def judged(self, findings: list[Diagnostic]) -> Checked | Failed:
        """What the findings mean for it."""
        asked, memory = self.asked, self.asked.memory
        findings = [finding for finding in findings if not is_provided(finding, asked.functions)]
        try:
            found = wrong(findings, self.snippet, asked.functions, self.named, memory.history, asked.known)
        except Unchecked as error:
            return self.unchecked(error)
        found = found or self._overlooked()
        if found:
            stubs = [function.stub for function in (*memory.functions, *self.named)]
            return self._refused(self._report.from_types(found, stubs))
        return Checked(self, self.snippet.code)

    def unchecked(self, error: Unchecked) -> Failed:
        """It could not be checked, and does not run."""
        return self._refused(SnippetError('types', str(error)))

    @property
    def _report(self) -> Report:
        return Report(self.snippet, self.asked.functions, self.asked.limits, self.asked.known)

    def _refused(self, error: SnippetError) -> Failed:
        return replace(_refused(self.snippet.text, error, self.snippet.fixes), executed_code=self.snippet.awaiting)

    def _overlooked(self) -> list[Diagnostic]:
        tree = tree_of(self.snippet.checked.text)
        awaited = {function.name for function in self.named if not function.sequential}
        unknown = [
            found
            for found in unknown_names(tree, self.asked.known)
            if self.asked.functions.get(found.message.split('`')[1].removeprefix(HOST)) is None
        ]
        return [*unknown, *unawaited(tree, awaited.__contains__)] if awaited else unknown


@dataclass(frozen=True)
class Checked:
    """Ready to run."""

    prepared: Prepared
    text: str
    """What the worker is fed."""

    @property
    def memory(self) -> Memory:
        """What the session knows once it has run to its end."""
        return self.prepared.asked.memory.after(self.prepared.snippet, self._named)

    @property
    def _named(self) -> tuple[Function, ...]:
        # A variable that was set for this snippet hides a function from it, not from the next one.
        asked = self.prepared.asked
        return named_functions(self.prepared.snippet, asked.memory.bound, asked.functions)


async def off_loop(chars: int, work: Callable[[], T]) -> T:
    """What `work` gives; on a thread where so many characters would hold up everybody on the event loop."""
    return await aside(work, long=chars > _LONG_CHARS) if chars > ON_LOOP_CHARS else work()


def _refused(code: str, error: SnippetError, fixes: tuple[str, ...] = ()) -> Failed:
    return Failed(code, fixes, '', (), error, session_lost=False)


ON_LOOP_CHARS = 4_000
"""A snippet of this length takes some fifteen milliseconds to prepare."""
_LONG_CHARS = 4 * ON_LOOP_CHARS
"""Others do not wait for a snippet that is longer."""
