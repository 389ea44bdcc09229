"""Scripts in workflows of durable engines: each step of a script is a unit that the engine records."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pydantic_ai import RunContext, UserError
from pydantic_ai.capabilities import AbstractCapability, durable_operation
from pydantic_ai.tools import AgentDepsT

if TYPE_CHECKING:
    from toolscript_sandbox import Sandbox
    from toolscript_sandbox.steps import TakeStep


@dataclass(kw_only=True)
class CodeModeSteps(AbstractCapability[AgentDepsT]):
    """Lets scripts of a `CodeModeToolset` run in workflows of Temporal, DBOS and Prefect.

    `CodeMode` is one; an agent with `toolsets=[CodeModeToolset(...)]` takes it as a capability beside them.
    """

    id: str | None = field(default='toolscript', init=False, repr=False)
    """Part of the name by which an engine records steps: it never changes."""
    sandbox: Sandbox | None = None
    """Where steps run; by default the pool that all runs of a process share."""

    @durable_operation(name='step')
    async def step(self, ctx: RunContext[AgentDepsT], request: str) -> str:
        """Take one step of a script, in the activity, step or task that the engine makes of this."""
        from . import _lazy

        return await _lazy.take_step(self.sandbox or _lazy.Sandbox.shared(), request)


def durable_steps(ctx: RunContext[AgentDepsT]) -> TakeStep | None:
    """What takes the steps of a run in a workflow; None outside of one.

    Raises:
        UserError: The run is in a workflow, and its agent has nothing that takes them.
    """
    if not ctx.in_durable_context and not in_temporal_workflow():
        return None
    parts = list[AbstractCapability[AgentDepsT]]()
    if ctx.root_capability is not None:
        ctx.root_capability.apply(parts.append)
    steps = next((part for part in parts if isinstance(part, CodeModeSteps)), None)
    if steps is None or not ctx.in_durable_context:
        raise UserError(_NOTHING_TAKES_STEPS)
    # What a step needs is in the request; the context goes into the history with each of them.
    light = replace(ctx, tool_call_metadata=None, tool_manager=None)
    return lambda request: steps.step(light, request)


def in_temporal_workflow() -> bool:
    """Whether this is the code of a Temporal workflow, in which nothing may wait for a process."""
    temporal = sys.modules.get('temporalio.workflow')
    return temporal is not None and temporal.in_workflow()


def pass_imports_through() -> None:
    """In the sandbox of a Temporal worker, have the modules of the worker: copies of them would know other classes."""
    temporal = sys.modules.get('temporalio.workflow')
    if temporal is None or not temporal.unsafe.in_sandbox():
        return
    with temporal.unsafe.imports_passed_through():
        from . import _lazy

        for module in (*_lazy.LOADED, *_OF_SEARCHES):
            __import__(module)


_OF_SEARCHES = (
    'toolscript.search.keywords',
    'toolscript.search.patterns',
    'toolscript.search.ranked',
    'rapidfuzz.distance',
)
_NOTHING_TAKES_STEPS = """\
Scripts run in a workflow of a durable engine only if the engine records their steps. Use the CodeMode capability, or \
put CodeModeSteps() beside the CodeModeToolset: Agent(..., toolsets=[CodeModeToolset(...)], \
capabilities=[CodeModeSteps(), TemporalDurability()]), with the durability of your engine."""
