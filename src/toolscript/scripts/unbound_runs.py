"""Runs that use a toolset as it is, without a copy of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .run_state import RunState


@dataclass
class UnboundRuns:
    """What each of them keeps, by run: upstream makes no copies of a toolset that a function builds in a run."""

    entered: int = 0
    """How many runs are under way. None says which of them it is when it leaves."""
    _states: dict[str | None, RunState] = field(default_factory=dict)

    def of(self, run_id: str | None, new: Callable[[], RunState]) -> RunState:
        """What the run keeps; new for one that was not here before."""
        state = self._states.pop(run_id, None) or new()
        self._states[run_id] = state
        return state

    async def leave(self) -> None:
        """One run has ended: close all states once all have, and the longest idle ones if there are many."""
        self.entered -= 1
        most = self.entered + _SPARE if self.entered > 0 else 0
        while len(self._states) > most:
            await self._states.pop(next(iter(self._states))).end()


_SPARE = 16
