"""Reports on which changes of scripts can be undone, or were."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter

from toolscript.approvals.review import excerpt, plain

UndoStatus: TypeAlias = Literal['can', 'cannot', 'undone', 'failed', 'waits', 'unknown']
_ROOM = 120


@dataclass(frozen=True, kw_only=True)
class UndoCall:
    """A call of a script that may have changed something, and the call that undoes it."""

    tool_call_id: str
    """The key of the call in `decisions`."""
    tool_name: str
    args: dict[str, Any]
    status: UndoStatus
    """`'can'`: it can be undone; `'cannot'`; `'undone'`; `'failed'`: undoing it failed and can be tried again;
    `'waits'`: the inverse needs an approval; `'unknown'`: the inverse started, and its process died."""
    reason: str = ''
    """Why it cannot be undone, or was not undone."""
    undo_tool_name: str | None = None
    """The tool that undoes it."""
    undo_args: dict[str, Any] | None = None
    """The arguments of that tool."""

    def render(self) -> str:
        """Return the call as one line of text, in which every character is visible."""
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
    """The calls of scripts that may have changed something, latest first."""

    calls: tuple[UndoCall, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether all calls are undone."""
        return all(call.status == 'undone' for call in self.calls)

    def having(self, *statuses: UndoStatus) -> list[UndoCall]:
        """Return the calls with one of these statuses."""
        return [call for call in self.calls if call.status in statuses]

    def covers(self, other: 'UndoReport') -> bool:
        """Return whether the report has all calls of another report, with the same inverses."""
        mine = [_as_listed(call) for call in self.calls]
        return all(_as_listed(call) in mine for call in other.calls)

    def without_values(self) -> 'UndoReport':
        """Return the report without what others may have written, for a model that must not read it."""
        hidden = (
            replace(call, args={}, undo_args=call.undo_args and {}, reason='arguments and reasons are not shown')
            for call in self.calls
        )
        return UndoReport(calls=tuple(hidden))

    def render(self) -> str:
        """Return the report as text, one line for each call."""
        return '\n'.join(call.render() for call in self.calls) or 'Nothing was changed that is on record.'

    def to_json(self) -> list[dict[str, Any]]:
        """Return the calls as JSON, without default values."""
        return _calls.dump_python(list(self.calls), mode='json', exclude_defaults=True)

    @classmethod
    def from_json(cls, calls: object) -> 'UndoReport':
        """Return the report from the output of `to_json`."""
        return cls(calls=tuple(_calls.validate_python(calls)))


_calls = TypeAdapter(list[UndoCall])


def _as_listed(call: UndoCall) -> UndoCall:
    return replace(call, status='can', reason='')


def joined(reports: Sequence[UndoReport]) -> UndoReport:
    return UndoReport(calls=tuple(call for report in reports for call in report.calls))


def _call(tool_name: str, args: dict[str, Any]) -> str:
    shown = ', '.join(f'{plain(name)}={excerpt(value, _ROOM)}' for name, value in args.items())
    return f'{plain(tool_name)}({shown})'
