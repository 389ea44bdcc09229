"""All that a script needs to go on, in another run or another process."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Annotated, Any

from pydantic import Field
from pydantic_ai import UserError
from pydantic_ai.messages import MultiModalContent

from toolscript.approvals.approvals import Verdicts
from toolscript.observability.script_calls import CallLog
from toolscript.results.final_answer import FinalAnswer
from toolscript.results.values import Returned
from toolscript.stored_json import KeptJson
from toolscript_sandbox import CallRecord

from .journal import Journaled, Line
from .pages import Page
from .remembered import Memory


class Unreadable(UserError):
    """Another version wrote the state."""


@dataclass(frozen=True)
class PausedScript:
    """A script between two of its steps."""

    state: bytes
    """The sandbox's part."""
    waits: bool
    """Whether it waits for the outside; otherwise it was on its way, and the process died since."""
    code: str = ''
    """What runs; not what the history holds, where the script was approved with changes. Empty: an older version wrote
    this, which did not say."""
    paused_at: float = 0.0
    """When it was asked for, in seconds since the epoch, if it waits."""
    traceparent: str | None = None
    """The span of the `run_code` call that it was in, in W3C's form, if the run was traced."""
    pauses: int = 0
    """How often it has asked for something."""
    names: dict[str, str] = field(default_factory=dict[str, str])
    """The tool behind each Python name that the script, and what ran before it, may call."""
    verdicts: Verdicts = field(default_factory=Verdicts)
    memory: Memory = field(default_factory=Memory)
    files: dict[str, MultiModalContent] = field(default_factory=dict[str, MultiModalContent])
    found: tuple[str, ...] = ()
    returned: dict[int, Returned] = field(default_factory=dict[int, Returned])
    log: CallLog = field(default_factory=CallLog)
    """What is known of its calls for those who look at them; nothing but that where it does not wait."""
    journaled: Journaled = field(default_factory=dict[str, list[Line]])
    """What an earlier life of the script, whose state was lost, wrote down and this one has not met yet."""

    answer: FinalAnswer | None = None
    """What it gave as the output of its run."""
    output_schema: dict[str, Any] | None = None
    """Of the output that it may give, where that is sent as JSON: a run that goes on is told of none before it asks."""

    variables: int | None = None
    """The number of what was kept of its owner's variables last, where they live on: what it goes on with."""
    kept_functions: dict[str, str] = field(default_factory=dict[str, str])
    """The kept functions that its session has, with the digests of their texts."""
    pages: int = 0
    """How many pages of calls that ended belong to it."""
    calls: tuple[CallRecord, ...] = ()
    """Those that ended and are in no page; of a script that waits, all of them."""
    paged: Annotated[tuple[Page, ...], Field(exclude=True)] = ()
    """The pages, once they were read."""

    def to_bytes(self) -> bytes:
        """As JSON."""
        return _json.dump(self)

    def with_pages(self, pages: Sequence[Page]) -> 'PausedScript':
        """The script with what its pages say."""
        for page in pages:
            self.memory.paged |= page.finished
        return replace(self, paged=tuple(pages))

    @property
    def all_calls(self) -> list[CallRecord]:
        """Those of the pages, and the others."""
        return [*chain.from_iterable(page.calls for page in self.paged), *self.calls]

    @property
    def all_returned(self) -> dict[int, Returned]:
        """What the calls of the pages gave beside their values, and the others."""
        return {number: one for page in self.paged for number, one in page.returned.items()} | self.returned

    @classmethod
    def from_bytes(cls, data: bytes) -> 'PausedScript':
        """The script again.

        Raises:
            ValidationError: Another version wrote it.
        """
        return _json.load(data)


def unreadable(run_code_id: str, error: Exception) -> str:
    """What to do about a script whose state was signed by us and makes no sense to us."""
    return (
        f'The state of the paused script {run_code_id} cannot be read, so nothing was run: {error}. Another version of '
        'toolscript or pydantic-monty wrote it. Let that version go on with it, or deny the script with '
        'resolve(requests, {script_id: False}).'
    )


def script_key(
    conversation_id: str | None, run_code_id: str, code: str, repeat: int = 0, *, owners: Sequence[str] = ()
) -> str:
    """What one `run_code` call is known by, in stores and signatures.

    Ids of calls alone would not do: some models count them from zero in each conversation, or in each turn. Nor would
    those of conversations, which several owners may share.
    """
    parts: list[Any] = [conversation_id or '', run_code_id, code, repeat, *owners]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:40]


_json = KeptJson(PausedScript)
