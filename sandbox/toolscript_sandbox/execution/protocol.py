"""The protocol between a running script and the caller that answers its calls.

The caller drives: it advances a script, answers the calls that the script made, and advances it again. The sandbox
never calls back into its caller, just as the libraries h11 and wsproto never read from a socket. So only the caller
decides when to save a script, what to record, and whom to ask.

    execution = await start(worker, prepared)      # or restore(worker, state, ...)
    step = await execution.advance(())
    while isinstance(step, Calls):
        answers = await in_flight.answer(step)
        step = await execution.advance(answers)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from toolscript_sandbox.contract.calls import Call
from toolscript_sandbox.contract.outcomes import Completed, Failed


@dataclass(frozen=True)
class Calls:
    """The script waits for answers, for time to pass, or only for its next step."""

    new: tuple[Call, ...] = ()
    """Calls to start, in the order in which the script made them."""
    cancelled: tuple[int, ...] = ()
    """Ids of earlier calls that the script cancelled. A running one still needs an answer: `left`, or its outcome."""
    wake_in: float | None = None
    """Seconds after which the script can advance without an answer; 0: at once; None: never. If it is None and no call
    runs, the results of all remaining calls come from outside: save the state, and restore it once they are known."""
    checkpoint: bool = False
    """Whether to save the state first: a new call or a change of a file follows, which must not happen twice."""


@dataclass(frozen=True)
class Returned:
    """The call succeeded."""

    value: Any
    """A JSON-able value, which nothing else may change from now on."""


@dataclass(frozen=True)
class Raised:
    """The call ended with an exception that the script may catch."""

    type_name: str
    message: str

    def __str__(self) -> str:
        return f'{self.type_name}: {self.message}'


@dataclass(frozen=True)
class Answer:
    """The outcome of one call."""

    call_id: int
    outcome: Returned | Raised | Literal['waits', 'left']
    """`waits`: the result comes from outside, such as a person's decision, and deadlines around the call pause until it
    ends. `left`: the script cancelled the call, which has ended without a value."""


Step: TypeAlias = Calls | Completed | Failed
"""The result of advancing. Outcomes contain only calls that the caller never received; it has records of the others."""


class Execution(Protocol):
    """A running script."""

    async def advance(self, answers: Sequence[Answer], /) -> Step:
        """Run the script until it needs the caller. A script cannot cause this to raise."""
        ...

    def state(self) -> bytes | Failed:
        """Return the state for `restore`, between any two steps. It contains only open calls, and is not signed.

        Returns the failure of a script that leaves no memory for its state; its new calls did not start.
        """
        ...

    async def close(self) -> None:
        """Stop the script."""
        ...
