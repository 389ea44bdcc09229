"""Runs that use a toolset directly, without a copy of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .run_state import RunState


@dataclass
class UnboundRuns:
    """The states of these runs: upstream does not copy a toolset that a function builds during a run."""

    entered: int = 0
    """How many runs are active. A run that leaves does not say which one it is."""
    _states: dict[str | None, RunState] = field(default_factory=dict)

    def of(self, run_id: str | None, new: Callable[[], RunState]) -> RunState:
        """Returns the state of the run; a new one for a new run."""
        state = self._states.pop(run_id, None) or new()
        self._states[run_id] = state
        return state

    async def leave(self) -> None:
        """End one run: close all states once all runs have ended, and the longest idle ones if there are many."""
        self.entered -= 1
        most = self.entered + _SPARE if self.entered > 0 else 0
        while len(self._states) > most:
            await self._states.pop(next(iter(self._states))).end()


_SPARE = 16
