"""A second `Execution`, as a durable engine needs one: each step is bytes in and bytes out, in a worker of its own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from toolscript_sandbox import Functions, Limits, Sandbox
from toolscript_sandbox.execution.executor import LiveExecution, Options, restore, start
from toolscript_sandbox.execution.preparation import Checked
from toolscript_sandbox.execution.protocol import Answer, Calls, Step
from toolscript_sandbox.workers.process import Worker


@dataclass
class StepwiseExecution:
    """Keeps nothing between two steps but bytes."""

    sandbox: Sandbox
    begins: Checked | bytes
    functions: Functions
    limits: Limits
    options: Options = field(default_factory=Options)
    ask_again: bool = False
    """Whether the first step asks for open calls again, as a resume does."""
    steps: int = field(default=0, init=False)
    _state: bytes = field(default=b'', init=False)
    _taken_at: float = field(default=0.0, init=False)
    _failed: LiveExecution | None = field(default=None, init=False)
    """A script that has failed and has calls to cancel: it has no state any more."""

    async def advance(self, answers: Sequence[Answer], /) -> Step:
        """One step, of which nothing is left but its state."""
        if self._failed is not None:
            return await self._failed.advance(answers)
        worker = await self.sandbox.worker(self.limits)
        try:
            execution = await self._at_last_step(worker)
            step = await execution.advance(answers)
            self.steps, self._taken_at = self.steps + 1, time.monotonic()
            if isinstance(step, Calls) and execution.error is not None:
                self._failed = execution
            elif isinstance(step, Calls):
                self._state = execution.state()
            return step
        finally:
            await self.sandbox.give_back(worker)

    async def _at_last_step(self, worker: Worker) -> LiveExecution:
        functions, limits, options = self.functions, self.limits, self.options
        if self._state:
            elapsed = time.monotonic() - self._taken_at
            return await restore(worker, self._state, functions, limits, options, ask_again=False, elapsed=elapsed)
        if isinstance(self.begins, Checked):
            return await start(worker, self.begins, functions, limits, options)
        return await restore(worker, self.begins, functions, limits, options, ask_again=self.ask_again)

    def state(self) -> bytes:
        """That of the last step."""
        return self._state

    async def close(self) -> None:
        """Nothing is open."""
