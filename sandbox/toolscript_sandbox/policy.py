"""Which findings of the type checker stop a snippet: those that are wrong under every reading."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from .checker import Diagnostic

Wrong: TypeAlias = Callable[[Diagnostic], bool]


def is_wrong(finding: Diagnostic) -> bool:
    """Whether the snippet cannot be right."""
    judge = _RULES.get(finding.rule)
    return judge is not None and judge(finding)


def _always(_: Diagnostic) -> bool:
    return True


def _about_coroutine(finding: Diagnostic) -> bool:
    return 'CoroutineType[' in finding.message


def _about_literal(finding: Diagnostic) -> bool:
    return re.search(r'found `(Literal\[[^\]`|]*\]|None)`', finding.message) is not None


def _about_record(finding: Diagnostic) -> bool:
    return _about_coroutine(finding) or finding.message.startswith('Object of type')


_RULES: dict[str, Wrong] = {
    'unresolved-reference': _always,
    'unused-awaitable': _about_coroutine,
    'invalid-key': _always,
    'missing-argument': _always,
    'unknown-argument': _always,
    'too-many-positional-arguments': _always,
    'parameter-already-assigned': _always,
    'not-subscriptable': _about_coroutine,
    'not-iterable': _about_coroutine,
    'unsupported-operator': _about_coroutine,
    'unresolved-attribute': _about_record,
    'invalid-argument-type': _about_literal,
    'invalid-await': _always,
}
