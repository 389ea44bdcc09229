"""One run of one task by one route, as a value."""

from dataclasses import dataclass, field
from typing import Literal

from evals.tasks.task import Kind


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
class Step:
    """One thing that happened, for the transcript."""

    role: Literal['user', 'system', 'model', 'call', 'code', 'nested', 'result', 'found']
    text: str
    name: str = ''
    request: int = 0
    """In which model request it first stood; nested calls stand in the one after their snippet."""


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
    tool_seconds: float
    """Wall time without the time spent in the model."""
    trial: int = 0
    """Which of several tries this was."""
    skipped: bool = False
    """It says nothing: it never started, since the money was spent, or the provider failed on the way."""
    transcript: tuple[Step, ...] = field(default=(), repr=False)

    @property
    def ok(self) -> bool:
        """Whether the answer and what was left behind are right."""
        return self.right_answer and self.right_state and self.error is None
