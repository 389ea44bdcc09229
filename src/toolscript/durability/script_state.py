"""All that a script needs to resume, in another run or another process: one value, saved and loaded as a whole."""

import hashlib
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


@dataclass
class RunMemory:
    """What one script of a run leaves to the next."""

    names: dict[str, str] = field(default_factory=dict[str, str])
    """The tool behind each Python name that the scripts name."""
    cache: CallCache = field(default_factory=CallCache)
    files: ReturnedFiles = field(default_factory=ReturnedFiles)
    codes: list[str] = field(default_factory=list[str])
    """The scripts of the run that started, where flows are followed: they share their variables."""
    found: dict[str, None] = field(default_factory=dict[str, None])
    """Deferred tools that scripts found. One that fails leaves no metadata in the history: that of the next one has
    them."""


@dataclass
class ScriptState:
    """A script. The links of its calls write into this while it runs."""

    code: str
    """What runs; not what the history holds, where the script was approved with changes."""
    run: RunMemory = field(default_factory=RunMemory)
    _: KW_ONLY
    execution: bytes
    """The sandbox's part, between two steps."""
    waits: bool
    """Whether it waits for the outside; otherwise it was running, and the process died since."""
    paused_at: float = 0.0
    """Of a script that waits: when it paused, in seconds since the epoch."""
    pauses: int = 0
    """How often it has paused."""
    denied: ToolDenied | None = None
    """Set once it was denied as a whole: no approval that arrives later resumes it."""
    traceparent: str | None = None
    """The span of the `run_code` call that it was in, in W3C's form, if the run was traced."""
    approvals: Approvals = field(default_factory=Approvals)
    ended: dict[int, CallEntry] = field(default_factory=dict[int, CallEntry])
    """The calls that ended, by number. The journal has them too, so only a script that waits is saved with them."""
    cancelled: dict[int, CallRecord] = field(default_factory=dict[int, CallRecord])
    """The calls that the script cancelled."""
    log: CallLog = field(default_factory=CallLog)
    """What applications see of its calls; only a script that waits is saved with it."""
    earlier_life: Entries = field(default_factory=dict[str, list[CallEntry]])
    """What an earlier life of the script, whose state was lost, wrote into the journal and this one has not met yet.
    Its calls need not have the same numbers."""
    lost_calls: int = 0
    """Calls up to this number may have run without an entry, because the journal was lost."""
    output: FinalAnswer | None = None
    """The output of the run, if the script gave it."""
    output_schema: dict[str, Any] | None = None
    """Of the output that it may give, where that is sent as JSON: a run that resumes does not know it yet."""
    session_number: int | None = None
    """The number of the session that was saved last, where variables persist."""
    saved_functions: dict[str, str] = field(default_factory=dict[str, str])
    """The saved functions that its session has, with the digests of their texts."""

    @property
    def returned(self) -> dict[int, ReturnExtras]:
        """What calls gave beside their values, in the order of the calls."""
        outcomes = ((number, self.ended[number].outcome) for number in sorted(self.ended))
        return {number: one.returned for number, one in outcomes if isinstance(one, Finished) and one.returned}

    @property
    def entries(self) -> list[CallEntry]:
        """What is known of the calls, in their order; first of those that only an earlier life made."""
        earlier = (entry for entries in self.earlier_life.values() for entry in entries)
        return [*earlier, *(self.ended[number] for number in sorted(self.ended))]

    @property
    def records(self) -> list[CallRecord]:
        """The calls that ended, as the sandbox knows them."""
        ended = (entry.record() for entry in self.ended.values())
        return [*self.cancelled.values(), *(record for record in ended if record is not None)]

    def add_cancelled(self, records: Iterable[CallRecord]) -> None:
        """Add those of the records whose calls the script cancelled: they ended, and nothing else is known of them."""
        for record in records:
            if record.status == 'failed' and record.call.id not in self.ended:
                self.cancelled[record.call.id] = record

    def to_bytes(self) -> bytes:
        """As JSON. A script is saved before each of its calls: with all ended calls in each, n calls would write n²."""
        return _json.dump(self if self.waits else replace(self, ended={}, log=CallLog()))

    @classmethod
    def from_bytes(cls, data: bytes) -> 'ScriptState':
        """The state again.

        Raises:
            ValidationError: Another version wrote it.
        """
        return _json.load(data)


class Unreadable(UserError):
    """Another version wrote the state."""


def unreadable(run_code_id: str, error: Exception) -> Unreadable:
    """What to do about a script whose state was signed by us and makes no sense to us."""
    return Unreadable(
        f'The paused script {run_code_id} cannot resume in this version, so nothing was run: {error}. Let the version '
        'of toolscript and pydantic-monty that paused it resume it, or deny the script with '
        'resolve(requests, {script_id: False}).'
    )


def script_key(
    conversation_id: str | None, run_code_id: str, code: str, repeat: int = 0, *, owners: Sequence[str] = ()
) -> str:
    """What one `run_code` call is known by, in stores and signatures.

    Ids of calls alone would not do: some models count them from zero in each conversation, or in each turn. Nor would
    those of conversations, which several owners may share.
    """
    parts: list[Any] = [conversation_id or '', run_code_id, code[:_LONGEST], repeat, *owners]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:40]


_LONGEST = 10_000_000
"""Characters; no script that runs has so many."""
_json = StoredJson(ScriptState)
