"""Which findings of the type checker stop a snippet: those that are wrong under every reading."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from .checker import Diagnostic
from .functions import Function, Functions
from .preparation import Snippet


@dataclass(frozen=True)
class Case:
    """A finding, and what there is to judge it by."""

    finding: Diagnostic
    snippet: Snippet
    functions: Functions
    named: frozenset[str]
    """Host functions that the snippet names."""

    @property
    def quoted(self) -> list[str]:
        """What the message puts in backquotes."""
        return re.findall(r'`([^`]*)`', self.finding.message)

    @property
    def marked(self) -> str:
        """The code that the finding is about."""
        lines = self.snippet.code.split('\n')[self.finding.line - 1 : self.finding.end_line]
        if not lines:
            return ''
        lines[-1] = lines[-1][: self.finding.end_column]
        lines[0] = lines[0][self.finding.column :]
        return '\n'.join(lines)


Judge: TypeAlias = Callable[[Case], bool]


def wrong(
    findings: Iterable[Diagnostic], snippet: Snippet, functions: Functions, named: Iterable[Function]
) -> list[Diagnostic]:
    """The findings that show that the snippet cannot be right."""
    names = frozenset(function.name for function in named)
    return [finding for finding in findings if is_wrong(Case(finding, snippet, functions, names))]


def is_wrong(case: Case) -> bool:
    """Whether one finding shows it."""
    judge = _RULES.get(case.finding.rule)
    return judge is not None and judge(case)


def _always(_: Case) -> bool:
    return True


def _about_coroutine(case: Case) -> bool:
    return 'CoroutineType[' in case.finding.message


def _is_unknown_name(case: Case) -> bool:
    name = case.quoted[0]
    if name not in case.snippet.computed or name in case.snippet.bound:
        return False
    return not hasattr(builtins, name) and case.functions.get(name) is None


def _is_wrong_scalar(case: Case) -> bool:
    return re.search(r'found `(Literal\[[^\]`|]*\]|None)`', case.finding.message) is not None


def _is_unknown_attribute(case: Case) -> bool:
    return _about_coroutine(case) or case.finding.message.startswith('Object of type')


_RULES: dict[str, Judge] = {
    'unresolved-reference': _is_unknown_name,
    'unused-awaitable': _about_coroutine,
    'invalid-key': _always,
    'missing-argument': _always,
    'unknown-argument': _always,
    'too-many-positional-arguments': _always,
    'parameter-already-assigned': _always,
    'not-subscriptable': _about_coroutine,
    'not-iterable': _about_coroutine,
    'unsupported-operator': _about_coroutine,
    'unresolved-attribute': _is_unknown_attribute,
    'invalid-argument-type': _is_wrong_scalar,
    'invalid-await': _always,
}
