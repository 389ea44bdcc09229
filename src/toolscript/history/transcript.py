"""A message history as a reader may follow it: what each request showed the model, and what the model did then."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from toolscript.observability.script_calls import Decision
from toolscript_sandbox import Status

Outcome: TypeAlias = Literal['success', 'failed', 'denied', 'interrupted', 'retried']
Speaker: TypeAlias = Literal['user', 'system', 'instructions', 'feedback', 'summary', 'model', 'thinking', 'note']


@dataclass(frozen=True)
class Excerpt:
    """The beginning of a text."""

    text: str
    chars: int
    """How long the whole text is."""

    @property
    def left_out(self) -> int:
        """How many characters of it are not here."""
        return self.chars - len(self.text)


@dataclass(frozen=True, kw_only=True)
class Said:
    """Text, or the name and size of a file."""

    speaker: Speaker
    text: Excerpt
    kind: Literal['said'] = 'said'


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What the model was shown beside the messages: the instructions, or a tool."""

    what: str
    change: Literal['new', 'changed', 'gone']
    """Against the request before."""
    text: Excerpt
    """All of it where it is new; where it changed, the lines that went, with `- `, and those that came, with `+ `."""
    kind: Literal['shown'] = 'shown'


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a call of the model's gave."""

    outcome: Outcome
    parts: tuple[tuple[str, Excerpt], ...]
    """Each with its name: `result` alone, or also what a script `stdout`, and what the model read beside it."""
    later: bool = False
    """Whether another run gave it than the one that made the call."""


@dataclass(frozen=True, kw_only=True)
class Called:
    """A tool that the model called itself."""

    tool_name: str
    arguments: Excerpt | None
    """As JSON; `None` where the history has only the answer."""
    answer: Answer | None
    """`None` where the history has none."""
    by_provider: bool = False
    """Whether the model's provider ran it."""
    kind: Literal['called'] = 'called'


@dataclass(frozen=True, kw_only=True)
class NestedCall:
    """A call that a script made."""

    function: str
    arguments: tuple[tuple[str, Excerpt], ...]
    """By name, as Python."""
    status: Status
    result: Excerpt
    """As Python, or a text about its shape where it is `truncated`."""
    truncated: bool
    error: Excerpt | None
    seconds: float | None
    line: int | None
    reused: bool
    speculative: bool
    decision: Decision | None


@dataclass(frozen=True, kw_only=True)
class Ran:
    """A script that the model wrote, and what became of it."""

    tool_name: str
    code: Excerpt
    options: Excerpt
    """The other arguments of the call, as JSON; mostly none."""
    calls: tuple[NestedCall, ...]
    more_calls: int
    """How many calls it made beside these."""
    pauses: int
    """How often it waited for an approval, or for a result from outside."""
    answer: Answer | None
    """`None` where the history has none: it waits, or the run ended."""
    kind: Literal['ran'] = 'ran'


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """What is not shown, since there is so much of it."""

    what: str
    kind: Literal['left-out'] = 'left-out'


Entry: TypeAlias = Said | Shown | Called | Ran | LeftOut


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """What requests took."""

    input: int
    """All input, the cached part included."""
    cached: int
    output: int


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A request, and the model's response."""

    number: int
    """Which request of the history it is, from 1."""
    run: int
    """Which run of the history it belongs to, from 1."""
    at: datetime | None
    request: tuple[Entry, ...]
    response: tuple[Entry, ...]
    """Calls stand here with what they gave, which the model read in the request that follows."""
    model: str | None
    """`None` where there is no response."""
    tokens: Tokens
    seconds: float | None
    """From the request to the response, where both say when."""


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """What happened in a message history."""

    turns: tuple[Turn, ...]
    requests: int
    """How many there were; of very many, `turns` leaves out some in the middle."""
    tokens: Tokens
    """Of all requests."""


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """How much is shown. What is left out is told by its size."""

    chars: int = 10_000
    """Of one text."""
    all_chars: int = 2_000_000
    """Of all texts together: each request has its share of what those before it left."""
    calls: int = 200
    """Of one script."""
    parts: int = 200
    """Of one message."""
    requests: int = 400
    """The first quarter of them from the start of the history, the others from its end."""


@dataclass
class Room:
    """How many characters may still be kept."""

    left: int
    bounds: Bounds

    def excerpt(self, text: str, most: int | None = None) -> Excerpt:
        """As much of the text as may be kept."""
        kept = text[: max(0, min(self.bounds.chars if most is None else most, self.left))]
        self.left -= len(kept)
        return Excerpt(kept, len(text))
