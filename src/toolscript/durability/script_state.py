"""The complete state that a script needs to resume in another run or process, saved and loaded as one value."""

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any

from pydantic_ai import ToolDenied, UserError

from toolscript.approvals.approvals import Approvals
from toolscript.observability.script_calls import CallLog
from toolscript.results.final_answer import FinalAnswer
from toolscript.results.values import ReturnedFiles, ReturnExtras
from toolscript.stored_json import StoredJson
from toolscript_sandbox import CallRecord

from .call_cache import CallCache
from .journal import CallEntry, Entries, Finished
from .sealed_store import key_of


@dataclass
class RunMemory:
    """Data that one script of a run leaves to the next."""

    names: dict[str, str] = field(default_factory=dict[str, str])
    """The tool behind each Python name that the scripts use."""
    cache: CallCache = field(default_factory=CallCache)
    files: ReturnedFiles = field(default_factory=ReturnedFiles)
    codes: list[str] = field(default_factory=list[str])
    """The scripts of the run that started, if flows are tracked: they share their variables."""
    loaded: set[str] = field(default_factory=set[str])
    """The names of variables and saved functions that earlier runs left."""
    found: dict[str, None] = field(default_factory=dict[str, None])
    """Deferred tools that scripts found. A script that fails leaves no metadata in the history, so the metadata of the
    next script includes them."""


@dataclass
class ScriptState:
    """The state of a script. The links of its calls modify it while it runs."""

    code: str
    """The code that runs; it differs from the history if the script was approved with changes."""
    run: RunMemory = field(default_factory=RunMemory)
    _: KW_ONLY
    execution: bytes
    """The sandbox's execution state, between two steps."""
    waits: bool
    """Whether it waits for an external event; if not, it was running when the process died."""
    paused_at: float = 0.0
    """When a waiting script paused, in seconds since the epoch."""
    pauses: int = 0
    denied: ToolDenied | None = None
    """Set if it was denied as a whole: no later approval resumes it."""
    traceparent: str | None = None
    """The W3C traceparent of the span of its last `run_code` call, if the run was traced."""
    approvals: Approvals = field(default_factory=Approvals)
    ended: dict[int, CallEntry] = field(default_factory=dict[int, CallEntry])
    """The calls that ended, by number. The journal has them too, so they are saved only with a script that waits."""
    cancelled: dict[int, CallRecord] = field(default_factory=dict[int, CallRecord])
    log: CallLog = field(default_factory=CallLog)
    """The calls as applications see them; saved only with a script that waits."""
    earlier_attempt: Entries = field(default_factory=dict[str, list[CallEntry]])
    """Journal entries of an earlier run of the script, whose state was lost, that this run has not reached yet. Its
    calls need not have the same numbers."""
    lost_calls: int = 0
    """Calls up to this number may have run without an entry, because the journal was lost."""
    output: FinalAnswer | None = None
    """The output of the run, if the script provided it."""
    output_schema: dict[str, Any] | None = None
    """The schema of the output, if that is sent as JSON: a run that resumes does not know it yet."""
    session_number: int | None = None
    """The number of the session that was saved last, if variables persist."""
    saved_functions: dict[str, str] = field(default_factory=dict[str, str])
    """The digests of the texts of saved functions in its session, by name."""

    @property
    def returned(self) -> dict[int, ReturnExtras]:
        """What calls returned in addition to their values, in the order of the calls."""
        outcomes = ((number, self.ended[number].outcome) for number in sorted(self.ended))
        return {number: one.returned for number, one in outcomes if isinstance(one, Finished) and one.returned}

    @property
    def entries(self) -> list[CallEntry]:
        """The entries of the calls in order; those of an earlier run come first."""
        earlier = (entry for entries in self.earlier_attempt.values() for entry in entries)
        return [*earlier, *(self.ended[number] for number in sorted(self.ended))]

    @property
    def records(self) -> list[CallRecord]:
        """The calls that ended, in the sandbox's format."""
        ended = (entry.record() for entry in self.ended.values())
        return [*self.cancelled.values(), *(record for record in ended if record is not None)]

    def add_cancelled(self, records: Iterable[CallRecord]) -> None:
        """Add the records of calls that the script cancelled: they ended, and nothing else is known about them."""
        for record in records:
            if record.status == 'failed' and record.call.id not in self.ended:
                self.cancelled[record.call.id] = record

    def to_bytes(self) -> bytes:
        """Return the state as JSON. It is saved before each call: including all ended calls, n calls would write n²."""
        return _json.dump(self if self.waits else replace(self, ended={}, log=CallLog()))

    @classmethod
    def from_bytes(cls, data: bytes) -> 'ScriptState':
        """Return the state from its JSON. Raises `ValidationError` if another version wrote it."""
        return _json.load(data)


class Unreadable(UserError):
    """Another version wrote the state."""


def unreadable(run_code_id: str, error: Exception) -> Unreadable:
    """Return the error for a script whose state has a valid signature but cannot be read."""
    return Unreadable(
        f'The paused script {run_code_id} cannot resume in this version, so nothing was run: {error}. Let the version '
        'of toolscript and pydantic-monty that paused it resume it, or deny the script with '
        'resolve(requests, {script_id: False}).'
    )


def script_key(
    conversation_id: str | None, run_code_id: str, code: str, repeat: int = 0, *, owners: Sequence[str] = ()
) -> str:
    """Return the key that identifies one `run_code` call in stores and signatures.

    Ids of calls would not suffice, because some models count them from zero in each conversation or turn; nor would ids
    of conversations, which several owners may share.
    """
    return key_of(conversation_id or '', run_code_id, code[:_LONGEST], repeat, *owners)


_LONGEST = 10_000_000
"""The number of characters that count; no script that runs is longer."""
_json = StoredJson(ScriptState)
