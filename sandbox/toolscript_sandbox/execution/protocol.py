"""The seam between a script that runs and the caller that answers its calls.

The caller drives: it asks a script to advance, answers the calls that the script made, and asks again. The sandbox
never calls back into its caller, as the libraries h11 and wsproto never read from a socket. So the caller alone decides
when to save a script, what to record, and whom to ask.

    execution = await start(worker, checked, functions, limits)      # or restore(worker, state, ...)
    step = await execution.advance(())
    while isinstance(step, Calls):
        answers = await in_flight.answer(step)
        step = await execution.advance(answers)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from toolscript_sandbox.contract.calls import Call
from toolscript_sandbox.contract.outcomes import Completed, Failed


@dataclass(frozen=True)
class Calls:
    """The script waits for answers, for time to pass, or for nothing but its next step."""

    new: tuple[Call, ...] = ()
    """Calls to start, in the order in which the script made them."""
    cancelled: tuple[int, ...] = ()
    """Ids of earlier calls that the script cancelled. One that runs still needs an answer: `Left`, or how it ended."""
    wake_in: float | None = None
    """Seconds after which the script can advance without an answer; 0: at once; None: never. If it is None and no call
    runs, all calls that are left wait for the outside: save the state, and restore it once there are decisions."""
    checkpoint: bool = False
    """Whether what comes next must not happen twice: calls are new, or a file changes. Save the state first."""


@dataclass(frozen=True)
class Returned:
    """The call ended well."""

    value: Any
    """JSON-able; nothing else may change it from now on."""


@dataclass(frozen=True)
class Raised:
    """The call ended with an exception that the script may catch."""

    type_name: str
    message: str

    def __str__(self) -> str:
        return f'{self.type_name}: {self.message}'


@dataclass(frozen=True)
class Waits:
    """The call waits for the outside, such as a person's decision. Deadlines over it stop until it has ended."""


@dataclass(frozen=True)
class Left:
    """The call was cancelled by the script, and has ended without a value."""


@dataclass(frozen=True)
class Answer:
    """What became of one call."""

    call_id: int
    outcome: Returned | Raised | Waits | Left


Step: TypeAlias = Calls | Completed | Failed
"""Outcomes hold only those calls that the caller never got; all others are in the caller's record."""


class Execution(Protocol):
    """A script between its start and its end."""

    async def advance(self, answers: Sequence[Answer], /) -> Step:
        """Run the script as far as it gets. Raises nothing that a script can cause."""
        ...

    def state(self) -> bytes:
        """All that `restore` needs, between any two steps. It holds open calls only, and is not signed."""
        ...

    async def close(self) -> None:
        """End the script where it is."""
        ...
