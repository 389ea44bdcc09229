"""What can be undone of scripts, or was."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter

from toolscript.approvals.review import excerpt, plain

UndoStatus: TypeAlias = Literal['can', 'cannot', 'undone', 'failed', 'waits', 'unknown']
_ROOM = 120


@dataclass(frozen=True, kw_only=True)
class UndoCall:
    """A call of a script that may have changed something, and what undoes it."""

    tool_call_id: str
    """What `decisions` names it by."""
    tool_name: str
    args: dict[str, Any]
    status: UndoStatus
    """`'can'`: it can be undone; `'cannot'`; `'undone'`; `'failed'`: undoing it failed and can be tried again;
    `'waits'`: the inverse needs an approval; `'unknown'`: the inverse started, and its process died."""
    reason: str = ''
    """Why it cannot be undone, or was not."""
    undo_tool_name: str | None = None
    """The tool that undoes it."""
    undo_args: dict[str, Any] | None = None
    """What that is called with."""

    def render(self) -> str:
        """The call in a line of text, in which every character is visible."""
        inverse = '' if self.undo_tool_name is None else f' by {_call(self.undo_tool_name, self.undo_args or {})}'
        why = f': {excerpt(self.reason, 500)[1:-1]}' if self.reason else ''
        return f'{_call(self.tool_name, self.args)} {_WORDS[self.status]}{inverse}{why}'


_WORDS = {
    'can': 'can be undone',
    'cannot': 'cannot be undone',
    'undone': 'was undone',
    'failed': 'was not undone',
    'waits': 'waits for an approval to be undone',
    'unknown': 'may have been undone',
}


@dataclass(frozen=True, kw_only=True)
class UndoReport:
    """The calls of scripts that may have changed something, the latest first."""

    calls: tuple[UndoCall, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether all of them are undone."""
        return all(call.status == 'undone' for call in self.calls)

    def having(self, *statuses: UndoStatus) -> list[UndoCall]:
        """Those with one of these statuses."""
        return [call for call in self.calls if call.status in statuses]

    def covers(self, other: 'UndoReport') -> bool:
        """Whether it has all calls of the other report, with the same inverses."""
        mine = [_as_listed(call) for call in self.calls]
        return all(_as_listed(call) in mine for call in other.calls)

    def render(self) -> str:
        """The report as text, a line for each call."""
        return '\n'.join(call.render() for call in self.calls) or 'Nothing was changed that is on record.'

    def to_json(self) -> list[dict[str, Any]]:
        """The calls as JSON, without what is as always."""
        return _calls.dump_python(list(self.calls), mode='json', exclude_defaults=True)

    @classmethod
    def from_json(cls, calls: object) -> 'UndoReport':
        """The report again, from what `to_json` gave."""
        return cls(calls=tuple(_calls.validate_python(calls)))


_calls = TypeAdapter(list[UndoCall])


def _as_listed(call: UndoCall) -> UndoCall:
    return replace(call, status='can', reason='')


def joined(reports: Sequence[UndoReport]) -> UndoReport:
    """Several reports as one."""
    return UndoReport(calls=tuple(call for report in reports for call in report.calls))


def _call(tool_name: str, args: dict[str, Any]) -> str:
    shown = ', '.join(f'{plain(name)}={excerpt(value, _ROOM)}' for name, value in args.items())
    return f'{plain(tool_name)}({shown})'
