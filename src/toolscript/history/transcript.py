"""A readable message history: what each request showed the model, and what the model did then."""

from dataclasses import dataclass
from datetime import datetime

from toolscript_sandbox import Status


@dataclass(frozen=True)
class Excerpt:
    text: str = ''
    chars: int = 0
    """The length of the whole text, in characters."""

    @property
    def more(self) -> str:
        """Describes how much is left out; empty if nothing is."""
        left_out = self.chars - len(self.text)
        return f' … {left_out:,} more characters' if left_out else ''


@dataclass(frozen=True, kw_only=True)
class TranscriptCall:
    line: int | None
    code: str
    """The call with its arguments, in Python syntax."""
    status: Status
    ended: str
    """How it ended, as a word or as an arrow before its result."""
    result: Excerpt
    """What it returned, or why it failed."""
    notes: str
    """Other information, such as the duration."""
    origins: tuple[tuple[str, str], ...] = ()
    """If flows are tracked: arguments, each with a call or variable that it comes from."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """An item that a request showed the model, or something that the model did. Labels are single lines of text."""

    kind: str
    """The kind of item, used as the class of its element on a page."""
    label: str
    text: Excerpt | None = None
    is_folded: bool | None = None
    """Whether a page initially shows only its label; `None` if it cannot be collapsed."""
    code: Excerpt | None = None
    """The source code, if it is a script."""
    calls: tuple[TranscriptCall, ...] = ()
    more_calls: int = 0
    """The number of further calls that the script made."""
    note: str = ''
    """Whether it waits, waited, or has no answer."""
    outcome: str = ''
    answer: tuple[tuple[str, Excerpt], ...] = ()
    """The parts of its result, each with its label."""


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """The token usage of requests."""

    input: int
    """All input tokens, including cached ones."""
    cached: int
    output: int

    @property
    def words(self) -> list[str]:
        """The usage in words; empty if it is unknown."""
        if not (self.input or self.output):
            return []
        cached = f' ({self.cached:,} cached)' if self.cached else ''
        return [f'{self.input:,} tokens in{cached}', f'{self.output:,} out']


@dataclass(frozen=True, kw_only=True)
class Turn:
    number: int
    """The number of the request in the history, from 1."""
    run: int
    """The number of its run in the history, from 1."""
    at: datetime | None
    request: tuple[Block, ...]
    response: tuple[Block, ...]
    """Includes the results of calls, which the model reads in the next request."""
    model: str | None
    """`None` if there is no response."""
    tokens: Tokens
    seconds: float | None
    """The time from the request to the response, if both are known."""

    @property
    def time(self) -> str:
        return '' if self.at is None else self.at.strftime('%Y-%m-%d %H:%M:%S %Z').strip()

    @property
    def words(self) -> str:
        """The model that answered the request, its usage, and the duration."""
        if self.model is None:
            return 'no response in this history'
        took = [] if self.seconds is None else [duration(self.seconds)]
        return ' · '.join([self.model, *self.tokens.words, *took])


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """The readable form of a message history."""

    turns: tuple[Turn, ...]
    requests: int
    """The total number of requests; if there are very many, `turns` omits some in the middle."""
    tokens: Tokens
    """The usage of all requests."""

    @property
    def words(self) -> str:
        requests = f'{self.requests:,} request{"" if self.requests == 1 else "s"}'
        return ' · '.join([requests, *self.tokens.words])


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Limits of what is shown. Only the size of anything beyond them is given."""

    chars: int = 10_000
    """The limit for one text."""
    all_chars: int = 2_000_000
    """The limit for all texts together: each request has its share of what earlier ones left."""
    calls: int = 200
    """The number of calls of one script."""
    parts: int = 200
    """The number of parts of one message."""
    requests: int = 400
    """The number of requests: a quarter from the start of the history, the others from its end."""


@dataclass
class CharBudget:
    """The number of characters that may still be shown."""

    left: int
    bounds: Bounds

    def excerpt(self, text: str, max_chars: int | None = None) -> Excerpt:
        """Return as much of the text as may be shown."""
        shown = text[: max(0, min(self.bounds.chars if max_chars is None else max_chars, self.left))]
        self.left -= len(shown)
        return Excerpt(shown, len(text))


def duration(seconds: float) -> str:
    return f'{seconds * 1000:,.0f} ms' if abs(seconds) < 1 else f'{seconds:,.1f} s'
