"""A message history in words: what each request showed the model, and what the model did then."""

from dataclasses import dataclass
from datetime import datetime

from toolscript_sandbox import Status


@dataclass(frozen=True)
class Excerpt:
    """The beginning of a text."""

    text: str = ''
    chars: int = 0
    """How long the whole text is."""

    @property
    def more(self) -> str:
        """What is left out of it, in words; empty where nothing is."""
        left_out = self.chars - len(self.text)
        return f' … {left_out:,} more characters' if left_out else ''


@dataclass(frozen=True, kw_only=True)
class TranscriptCall:
    """A call that a script made."""

    line: int | None
    code: str
    """The call with its arguments, as Python."""
    status: Status
    ended: str
    """How it ended, in a word or an arrow before its result."""
    result: Excerpt
    """What it returned, or why it failed."""
    notes: str
    """What else there is to say, such as how long it took."""
    origins: tuple[tuple[str, str], ...] = ()
    """Where flows are followed: arguments, each with a call or variable that it comes from."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """One thing that a request showed the model, or that the model did. Labels are words on one line."""

    kind: str
    """What it is: the class of its element on a page."""
    label: str
    text: Excerpt | None = None
    is_folded: bool | None = None
    """Whether a page shows only its label until a reader opens it; `None` where it cannot be folded."""
    code: Excerpt | None = None
    """Where it is a script."""
    calls: tuple[TranscriptCall, ...] = ()
    more_calls: int = 0
    """How many calls the script made beside these."""
    note: str = ''
    """That it waits, waited, or has no answer."""
    outcome: str = ''
    answer: tuple[tuple[str, Excerpt], ...] = ()
    """What came of it, part by part, each with its label."""


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """What requests took."""

    input: int
    """All input, the cached part included."""
    cached: int
    output: int

    @property
    def words(self) -> list[str]:
        """Nothing if usage is unknown."""
        if not (self.input or self.output):
            return []
        cached = f' ({self.cached:,} cached)' if self.cached else ''
        return [f'{self.input:,} tokens in{cached}', f'{self.output:,} out']


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A request, and the model's response."""

    number: int
    """Which request of the history it is, from 1."""
    run: int
    """Which run of the history it belongs to, from 1."""
    at: datetime | None
    request: tuple[Block, ...]
    response: tuple[Block, ...]
    """Calls have what came of them, which the model read in the request that follows."""
    model: str | None
    """`None` where there is no response."""
    tokens: Tokens
    seconds: float | None
    """From the request to the response, where both say when."""

    @property
    def time(self) -> str:
        """When the request was made."""
        return '' if self.at is None else self.at.strftime('%Y-%m-%d %H:%M:%S %Z').strip()

    @property
    def words(self) -> str:
        """Which model answered the request, and what that took."""
        if self.model is None:
            return 'no response in this history'
        took = [] if self.seconds is None else [duration(self.seconds)]
        return ' · '.join([self.model, *self.tokens.words, *took])


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """What happened in a message history."""

    turns: tuple[Turn, ...]
    requests: int
    """How many there were; of very many, `turns` leaves out some in the middle."""
    tokens: Tokens
    """Of all requests."""

    @property
    def words(self) -> str:
        """How much it holds."""
        requests = f'{self.requests:,} request{"" if self.requests == 1 else "s"}'
        return ' · '.join([requests, *self.tokens.words])


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """How much is shown. What is left out is given by its size."""

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
    """How many characters may still be shown."""

    left: int
    bounds: Bounds

    def excerpt(self, text: str, most: int | None = None) -> Excerpt:
        """As much of the text as may be shown."""
        shown = text[: max(0, min(self.bounds.chars if most is None else most, self.left))]
        self.left -= len(shown)
        return Excerpt(shown, len(text))


def duration(seconds: float) -> str:
    """A time, for people."""
    return f'{seconds * 1000:,.0f} ms' if abs(seconds) < 1 else f'{seconds:,.1f} s'
