"""One run of one task by one route, as a value."""

from dataclasses import dataclass

from evals.tasks.task import Kind


@dataclass(frozen=True)
class Cost:
    input_tokens: int
    """All input tokens, including cached ones."""
    cached_tokens: int
    output_tokens: int
    dollars: float


@dataclass(frozen=True, kw_only=True)
class Ledger:
    requests: int
    direct_calls: int
    """Direct calls of the task's own tools by the model."""
    nested_calls: int
    """Calls of those tools by code."""
    snippets: int
    failed_snippets: int
    searches: int


@dataclass(frozen=True, kw_only=True)
class Run(Ledger):
    task: str
    kind: Kind
    route: str
    model: str
    crowd: int
    right_answer: bool
    right_state: bool
    answer: str
    error: str | None
    pauses: int
    cost: Cost
    most_requests: int | None = None
    """The maximum number of requests of the scripted model."""

    @property
    def ok(self) -> bool:
        """Whether the answer and the final state are right and no more requests were made than needed."""
        return self.right and (self.most_requests is None or self.requests <= self.most_requests)

    @property
    def right(self) -> bool:
        """The same, regardless of the number of requests."""
        return self.right_answer and self.right_state and self.error is None
