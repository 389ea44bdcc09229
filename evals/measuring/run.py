"""One run of one task by one route, as a value."""

from dataclasses import dataclass, field

from evals.tasks.task import Kind
from toolscript.history import Transcript


@dataclass(frozen=True)
class Cost:
    """Tokens, and what they cost by the price list."""

    input_tokens: int
    """All input, the cached share included."""
    cached_tokens: int
    output_tokens: int
    tool_tokens: int
    """The part of the input that declares tools."""
    dollars: float


@dataclass(frozen=True)
class Run:
    """What happened and what it took."""

    task: str
    kind: Kind
    route: str
    model: str
    crowd: int
    right_answer: bool
    right_state: bool
    answer: str
    error: str | None
    requests: int
    direct_calls: int
    """Calls of the tasks' own tools by the model itself."""
    nested_calls: int
    """Calls of them by code."""
    snippets: int
    failed_snippets: int
    single_call_snippets: int
    searches: int
    wrong_doors: int
    pauses: int
    found: int
    """Tools that searches found."""
    first_snippet_ok: bool
    retries: tuple[str, ...]
    """Why the model was asked to try again, each time."""
    cost: Cost
    transcript: Transcript | None = field(default=None, repr=False)
    """What happened, long texts cut."""

    most_requests: int | None = None
    """How many the scripted model may need."""

    @property
    def ok(self) -> bool:
        """Whether the answer and what was left behind are right, and no more requests were made than are needed."""
        return self.right and (self.most_requests is None or self.requests <= self.most_requests)

    @property
    def right(self) -> bool:
        """The same, however many requests it took."""
        return self.right_answer and self.right_state and self.error is None
