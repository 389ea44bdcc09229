"""Snippets that need not be prepared again: the same text, which finds the same, becomes the same.

Models send a script again because a tool failed, engines replay one, and many users ask the same of one agent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from toolscript_sandbox.contract.functions import Function, Functions
from toolscript_sandbox.language.snippet import Snippet
from toolscript_sandbox.transforms.preparation import prepared
from toolscript_sandbox.workers.recent_results import LONGEST, Lately

from .memory import Memory


def prepared_once(
    code: str, functions: Functions, known: frozenset[str], memory: Memory, *, ordered: bool, has_files: bool
) -> Snippet:
    """The snippet as `prepared` gives it, and raises as it does. `known` are all variables that it finds."""
    key = (code, known, memory.meanings, memory.defined, memory.loaded, memory.facts, has_files)
    is_kept = len(code) <= LONGEST
    before = _BEFORE.get(key) if is_kept else None
    if before is not None and before.is_for(functions):
        return before.snippet
    asked = _Asked(functions)
    snippet = prepared(code, asked, memory.earlier(known), ordered=ordered, has_files=has_files)
    if is_kept:
        _BEFORE.put(key, _Before(snippet, asked.answers))
    return snippet


class _Before:
    """A snippet, with the functions that it was prepared for."""

    def __init__(self, snippet: Snippet, answers: Mapping[str, Function | None]) -> None:
        self.snippet = snippet
        self._answers = answers

    def is_for(self, functions: Functions) -> bool:
        """Whether its names mean the same functions again."""
        return all(functions.get(name) == answer for name, answer in self._answers.items())


class _Asked:
    """Functions of which some are asked for, without what belongs to a run."""

    def __init__(self, functions: Functions) -> None:
        self.answers = dict[str, Function | None]()
        self._functions = functions

    def get(self, name: str, /) -> Function | None:
        """The function of that name, which is noted."""
        found = self._functions.get(name)
        self.answers[name] = None if found is None else replace(found, validate=None)
        return found

    def hint(self, name: str, /) -> str | None:
        """The hint about a name, which only refused snippets need; those are not stored."""
        return self._functions.hint(name)


_BEFORE = Lately[
    tuple[
        str,
        frozenset[str],
        tuple[tuple[str, str], ...],
        frozenset[str],
        frozenset[str],
        tuple[tuple[str, tuple[str, ...]], ...],
        bool,
        bool,
    ],
    _Before,
](128)
