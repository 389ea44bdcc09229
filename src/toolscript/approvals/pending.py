"""The calls for which paused scripts wait."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeAlias

from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import DeferredToolRequests

from toolscript.guards import fields, items
from toolscript.stored_json import StoredJson
from toolscript_signatures import with_visible

from .review import MAX_CHARS, CallTooLong, plain, render_call

PendingKind: TypeAlias = Literal['approval', 'external', 'question']

REASON = 'toolscript_reason'
"""The metadata key for why a call waits, if a rule of code mode says so."""
EFFECTS = 'toolscript_effects'
"""The metadata key for what a call will do, one text per step, if its arguments do not say it."""
Path: TypeAlias = tuple[str | int, ...]
"""Keys and indices that lead to a value inside another one."""

_CALLS, _SNAPSHOT = 'toolscript_calls', 'toolscript_snapshot'


FIRST_READ = 1_000
"""The number of the first read among the rows of a plan: a read whose arguments come from results of rows."""


@dataclass(frozen=True)
class Ref:
    """A value that exists only once a row of the plan has been made: a part of the row's result."""

    row: int
    path: Path = ()

    def __str__(self) -> str:
        inside = '.'.join(map(str, self.path)) or 'result'
        of = f'row {self.row}' if self.row < FIRST_READ else f'read {self.row - FIRST_READ + 1}'
        return f'‹{inside} of {of}›'


@dataclass(frozen=True)
class Hole:
    """An argument of a planned call, or a part of one, that comes from the result of an earlier row."""

    path: Path
    parts: tuple[str | Ref, ...]
    """The value itself, if it is one `Ref`; otherwise the parts of a text."""


@dataclass(frozen=True, kw_only=True)
class PlannedRow:
    """What the preview of a script found out about a call that the script will make."""

    number: int
    """Its place in the plan, from 1. Reads are numbered separately, from `FIRST_READ`; no one is asked about them."""
    line: int | None
    """The line of the script that makes it."""
    status: Literal['new', 'approved'] = 'new'
    """`'approved'`: an earlier plan of the script had the same call, and it was approved there."""
    holes: tuple[Hole, ...] = ()
    """The arguments that come from results of earlier rows: they are filled in when the call is made."""
    computed: tuple[Path, ...] = ()
    """The arguments that the script computes from such results. The values shown are examples; if the real ones
    differ, the script asks again."""
    only_if: int | None = None
    """The row that must succeed; without it, the script does not make this call."""
    after: tuple[int, ...] = ()
    """The rows that come before it. All others may run at the same time."""
    asked_before: bool = False
    """Whether an earlier question was about calls of this tool on this line: offer a `Grant`."""
    asks_again: bool = False
    """Whether its call asks again once its holes are filled, as `ToolRule(plan_writes='when_known')` says."""
    skipped: tuple[str, ...] = ()
    """On the first row: the calls that were approved before and that the script will not make, as text."""

    @property
    def notes(self) -> list[str]:
        """The same in words, without the place."""
        filled = ', '.join(written(hole.path) for hole in self.holes)
        computed = ', '.join(map(written, self.computed))
        return [
            *([f'row {self.number}'] if self.line is None else [f'row {self.number}, line {self.line}']),
            *(['approved before'] if self.status == 'approved' else []),
            *([f'only if row {self.only_if} succeeds'] if self.only_if is not None else []),
            *([f'{filled} from earlier rows'] if filled else []),
            *([f'{computed} computed from results, may differ'] if computed else []),
            *(['asks again when that is known'] if self.asks_again else []),
            *(f'the script left out {call}, which was approved' for call in self.skipped),
        ]


def written(path: Path) -> str:
    """Return a path as people write it."""
    first, *others = path
    return plain(str(first)) + ''.join(f'[{key}]' if isinstance(key, int) else f'.{plain(key)}' for key in others)


@dataclass(frozen=True, kw_only=True)
class PendingCall:
    """A call that waits for a decision or for its result."""

    tool_call_id: str
    """The id under which `resolve` takes the decision."""
    tool_name: str
    args: dict[str, Any]
    kind: PendingKind
    """`'approval'`: the tool runs once it is approved. `'external'`: the result comes from elsewhere. `'question'`: the
    same, but the tool says that a person is asked (`CallDeferred(kind='question')`, in newer pydantic-ai)."""
    server: str | None = None
    """The server or toolset of the tool, if known."""
    read_only: bool | None = None
    """Whether the tool says that it changes nothing; `None` if it does not say."""
    destructive: bool | None = None
    """Whether the tool says that it may destroy something; `None` if it does not say."""
    metadata: dict[str, Any] | None = None
    """The metadata that the tool gave to `ApprovalRequired` or `CallDeferred`."""
    script_id: str | None = None
    """The `run_code` call whose script makes the call; `None` for an ordinary direct call."""
    row: PlannedRow | None = None
    """What the plan of the script says about the call, if it is a row of one."""

    @property
    def reason(self) -> str | None:
        """Why a rule about flows asks, in a sentence: "`to` comes from fetch_page('https://…') in line 3"."""
        reason = (self.metadata or {}).get(REASON)
        return reason if isinstance(reason, str) else None

    def render(self, max_chars: int = MAX_CHARS) -> str:
        """Return the call as text for the person who decides: all arguments named, long values cut, nothing invisible.

        Args:
            max_chars: How many characters can be shown. The default is 4,000. What an undoing call undoes follows in
                full, and may be five times as long.

        Raises:
            CallTooLong: Not even the names of all arguments fit, or what it undoes does not. Deny the call.
        """
        hints = [word for word, is_so in (('destructive', self.destructive), ('only reads', self.read_only)) if is_so]
        hints += [] if self.row is None else self.row.notes
        note = (f' of {plain(self.server)}' if self.server else '') + (f' ({", ".join(hints)})' if hints else '')
        if self.reason is not None:
            note += f', because {with_visible(self.reason)[:_LONGEST_REASON]}'
        effects = ''.join(f'\n  {with_visible(str(one))}' for one in items((self.metadata or {}).get(EFFECTS)))
        if len(effects) > _ROOM_FOR_EFFECTS * max_chars:
            raise CallTooLong(self.tool_name, max_chars)
        return render_call(self.tool_name, self.args, note=note, max_chars=max_chars) + effects

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON for a page: the fields, and `text` from `render`; `None` if the call must be denied."""
        try:
            text = self.render()
        except CallTooLong:
            text = None
        facts = _calls.dump_python((self,))[0]
        if self.row is None:
            del facts['row']
        return {**facts, 'text': text}


@dataclass
class Plan:
    """The calls that a script will make, as a preview found them, and which of them it has made."""

    rows: list[PendingCall]
    """In order. The first ones are those that wait; the script has not made the others yet."""
    moment: datetime
    """The time on the script's clock until the plan is used up."""
    pause: int
    """The pause of the script that asked about it, from 1."""
    claimed: dict[int, int] = field(default_factory=dict[int, int])
    """The numbers of the calls that used up rows, by row."""
    void: set[int] = field(default_factory=set[int])
    """The rows that the script need not make, because a row on which they depend has failed."""

    @property
    def to_ask(self) -> list[PendingCall]:
        """The rows that need a decision and that no call has used up."""
        return [call for call in self.rows if call.row is not None and call.row.number in self.open_rows]

    @property
    def open_rows(self) -> set[int]:
        """The numbers of the rows that the script still has to make, except reads."""
        numbers = {call.row.number for call in self.rows if call.row is not None}
        return {number for number in numbers if number < FIRST_READ} - self.claimed.keys() - self.void

    def place(self, row: int) -> str:
        """Return a row's place among all plans of the script: `'2.3'` is row 3 of the plan of the second pause."""
        return f'{self.pause}.{row}'

    def claim(self, place: str, number: int) -> None:
        """Record that the call with that number has used up a row, if the row is of this plan."""
        pause, _, row = place.partition('.')
        if int(pause) == self.pause:
            self.claimed[int(row)] = number


class PausedRequest(NamedTuple):
    """One `run_code` call among deferred requests: a script that waits for decisions, or for its turn."""

    run_code_id: str
    calls: tuple[PendingCall, ...]
    snapshot: str
    """The sealed state, its place in the store, or a sealed note that the script has not begun."""


def pending_calls(requests: DeferredToolRequests) -> list[PendingCall]:
    """Return every call that waits: those inside paused scripts, then the direct ones.

    Args:
        requests: The output of a run that ended in `DeferredToolRequests`.
    """
    scripts = paused_requests(requests)
    return [*(call for script in scripts for call in script.calls), *_direct(requests)]


def paused_requests(requests: DeferredToolRequests) -> list[PausedRequest]:
    found = ((part.tool_call_id, requests.metadata.get(part.tool_call_id)) for part in requests.approvals)
    return [request for run_code_id, metadata in found if (request := paused_request(run_code_id, metadata))]


def paused_request(run_code_id: str, metadata: object) -> PausedRequest | None:
    """Return the request in a call's metadata, if it is one of ours."""
    found = fields(metadata)
    snapshot = found.get(_SNAPSHOT)
    if not isinstance(snapshot, str):
        return None
    return PausedRequest(run_code_id, _calls.load_python(found.get(_CALLS, [])), snapshot)


def request_metadata(calls: Sequence[PendingCall], snapshot: str) -> dict[str, Any]:
    """Return what `run_code` passes to the application when it pauses: plain JSON."""
    return {_CALLS: [call.to_json() for call in calls], _SNAPSHOT: snapshot}


def digest(tool_name: str, args: Mapping[str, Any]) -> str:
    """Return a short text that differs between different calls; the order of keys does not matter."""
    return hashlib.sha256(_written([tool_name, args]).encode()).hexdigest()[:32]


def call_digest(call: PendingCall) -> str:
    """Return a short text that differs between calls that differ in anything that is shown of them."""
    shown = _calls.dump_python((call,))[0]
    return hashlib.sha256(json.dumps(shown, sort_keys=True, default=str).encode()).hexdigest()[:32]


def _direct(requests: DeferredToolRequests) -> Iterator[PendingCall]:
    for part in requests.approvals:
        metadata = requests.metadata.get(part.tool_call_id)
        if paused_request(part.tool_call_id, metadata) is None:
            yield _direct_call(part, 'approval', metadata)
    for part in requests.calls:
        yield _direct_call(part, _kind_of(requests, part.tool_call_id), requests.metadata.get(part.tool_call_id))


def _kind_of(requests: DeferredToolRequests, call_id: str) -> PendingKind:
    # Older pydantic-ai has no questions, and no `kind`.
    kind = getattr(requests, 'kind', None)
    return 'question' if kind is not None and kind(call_id) == 'question' else 'external'


def _direct_call(part: ToolCallPart, kind: PendingKind, metadata: dict[str, Any] | None) -> PendingCall:
    return PendingCall(
        tool_call_id=part.tool_call_id, tool_name=part.tool_name, args=part.args_as_dict(), kind=kind, metadata=metadata
    )


_LONGEST_REASON = 400
_ROOM_FOR_EFFECTS = 5
_written = json.JSONEncoder(sort_keys=True, default=str).encode
_calls = StoredJson(tuple[PendingCall, ...])
