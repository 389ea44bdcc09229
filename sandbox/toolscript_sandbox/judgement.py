"""Which findings of the type checker stop a snippet: those that are wrong under every reading."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from .checker import Diagnostic
from .functions import HOST, Function, Functions
from .preparation import Snippet


@dataclass(frozen=True)
class Case:
    """A finding, and what there is to judge it by."""

    finding: Diagnostic
    snippet: Snippet
    functions: Functions
    named: frozenset[str]
    """Host functions that the snippet names."""
    history: tuple[str, ...] = ()
    """Earlier code."""
    known: frozenset[str] = frozenset()
    """Variables of the session."""

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
    findings: Iterable[Diagnostic],
    snippet: Snippet,
    functions: Functions,
    named: Iterable[Function],
    history: tuple[str, ...] = (),
    known: frozenset[str] = frozenset(),
) -> list[Diagnostic]:
    """The findings that show that the snippet cannot be right."""
    names = frozenset(function.name for function in named)
    return [finding for finding in findings if is_wrong(Case(finding, snippet, functions, names, history, known))]


def is_wrong(case: Case) -> bool:
    """Whether one finding shows it."""
    if case.snippet.flattened and case.finding.rule in _OF_CALLS and not case.named & set(case.quoted):
        # The checker sees classes without what they inherit.
        return False
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
    return not hasattr(builtins, name) and case.functions.get(name.removeprefix(HOST)) is None


def _is_missing_module(case: Case) -> bool:
    return case.quoted[:1] != ['__future__']


def _is_unknown_key(case: Case) -> bool:
    key = re.search(r'Unknown key "([^"]*)"', case.finding.message)
    return key is not None and not _is_written(key[1], '\n'.join([*case.history, case.snippet.code]))


def _is_written(key: str, code: str) -> bool:
    # Records are dicts: a script may keep more in them than their type says.
    quoted = f'[\'"]{re.escape(key)}[\'"]'
    stored = rf'{quoted}\s*\]\s*(?:[-+*/%|&]|//|\*\*)?=(?!=)'
    return re.search(rf'{stored}|setdefault\(\s*{quoted}|update\([^)]*{re.escape(key)}', code) is not None


def _is_wrong_argument(case: Case) -> bool:
    if _about_coroutine(case):
        return True
    key = re.search(
        r'cannot be called with key of type `(Literal\["[^`]*)` on object of type `([^`]*)`', case.finding.message
    )
    if key is not None:
        return key[2].startswith(('list[', 'tuple[', 'str', 'Literal['))
    types = re.search(r'Expected `([^`]*)`, found `([^`]*)`', case.finding.message)
    return types is not None and _cannot_fit(types[1], types[2])


def _cannot_fit(expected: str, found: str) -> bool:
    """Whether no value of one type may stand for the other; generous with all that a tool might convert."""
    if re.fullmatch(r'Literal\[[^\]|]*\]|None', found):
        return True
    wanted = set(expected.split(' | '))
    container = re.match(r'(list|dict|set|tuple)\[', found)
    return container is not None and '|' not in found and wanted <= _SCALARS


def _is_wrong_operation(case: Case) -> bool:
    if _about_coroutine(case):
        return True
    return len(case.quoted) > 1 and all(_is_plain(type_name) for type_name in case.quoted[1:])


def _is_plain(type_name: str) -> bool:
    if type_name in _SCALARS - {'None'} or re.fullmatch(r'Literal\[[^\]|,]*\]', type_name):
        return True
    return type_name.startswith('list[') and ' | ' not in type_name and 'Unknown' not in type_name


def _has_no_items(case: Case) -> bool:
    return _about_coroutine(case) or (len(case.quoted) > 0 and case.quoted[0] in _ITEMLESS)


def _is_unknown_attribute(case: Case) -> bool:
    if _about_coroutine(case):
        return True
    message = case.finding.message
    # Instances of the snippet's own classes may get attributes in more ways than the checker sees.
    own = re.match(r"Object of type `(?:<class ')?(\w+)", message)
    return own is not None and own[1] not in ('object', 'Self') and own[1] not in case.snippet.bound | case.known


_SCALARS = frozenset(['int', 'float', 'str', 'bool', 'bytes', 'None'])
_ITEMLESS = frozenset(['int', 'float', 'bool'])
_RULES: dict[str, Judge] = {
    'unresolved-reference': _is_unknown_name,
    'unused-awaitable': _about_coroutine,
    'invalid-key': _is_unknown_key,
    'missing-argument': _always,
    'unknown-argument': _always,
    'too-many-positional-arguments': _always,
    'parameter-already-assigned': _always,
    'not-subscriptable': _has_no_items,
    'not-iterable': _has_no_items,
    'unsupported-operator': _is_wrong_operation,
    'unresolved-attribute': _is_unknown_attribute,
    'invalid-argument-type': _is_wrong_argument,
    'unresolved-import': _is_missing_module,
    'invalid-await': _always,
}
_OF_CALLS = frozenset(
    [
        'missing-argument',
        'unknown-argument',
        'too-many-positional-arguments',
        'parameter-already-assigned',
        'invalid-argument-type',
    ]
)
