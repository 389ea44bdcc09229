"""Reads that start while the model is still writing the script that makes them."""

from collections.abc import AsyncIterable
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import (
    AgentStreamEvent,
    ModelResponsePart,
    PartDeltaEvent,
    PartStartEvent,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import ApprovalRequiredToolset

from .code_mode_toolset import CodeModeToolset
from .discovery.misdirected_calls import path_to
from .routing.placement import listed_as
from .run_code.tool import RunCodeTool
from .scripts.speculation import SpeculationCounts
from .scripts.speculative_script import PartialScript
from .workflows import refuse_in_workflow


@dataclass
class SpeculativeReads(AbstractCapability[AgentDepsT]):
    """Starts read-only calls as soon as the model has written them, before the rest of the script arrives.

    It works with `CodeModeToolset`, `CodeMode` and `toolscript.agent.Agent`, and makes model requests stream.
    Workflows of durable engines refuse it.
    """

    _: KW_ONLY
    counts: SpeculationCounts = field(default_factory=SpeculationCounts, repr=False, compare=False)
    """How many reads started in all runs, and how many of them their scripts used."""

    async def for_run(self, ctx: RunContext[AgentDepsT]) -> AbstractCapability[AgentDepsT]:
        """Return the capability for one run; all of them share the counts.

        Raises:
            UserError: The run is in a workflow of a durable engine.
        """
        refuse_in_workflow(ctx, 'SpeculativeReads()', _INSTEAD)
        return _SpeculativeReadsOfRun[AgentDepsT](counts=self.counts)


@dataclass
class _SpeculativeReadsOfRun(SpeculativeReads[AgentDepsT]):
    _script: PartialScript[Any] | None = field(default=None, init=False)
    _first: int | None = field(default=None, init=False)
    """The index of the response's first tool call among its parts."""
    _part: ToolCallPart | None = field(default=None, init=False)
    """That call, as far as it has arrived."""

    async def wrap_run_event_stream(
        self, ctx: RunContext[AgentDepsT], *, stream: AsyncIterable[AgentStreamEvent]
    ) -> AsyncIterable[AgentStreamEvent]:
        """Yield the events unchanged: those of a response, then those of its calls."""
        is_response = False
        try:
            async for event in stream:
                match event:
                    case PartStartEvent(index=index, part=part):
                        if not is_response or (self._first is not None and index <= self._first):
                            # It begins, or begins again: with another model, for example, after the first one failed.
                            await self._forget()
                        is_response = True
                        self._begins(ctx, index, part)
                    case PartDeltaEvent(index=self._first, delta=ToolCallPartDelta() as delta):
                        self._continues(delta)
                    case _:
                        pass
                yield event
        except BaseException:
            is_response = False
            raise
        finally:
            if not is_response:
                await self._forget()

    def _begins(self, ctx: RunContext[AgentDepsT], index: int, part: ModelResponsePart) -> None:
        # A later call may need to see what an earlier one did.
        if self._first is None and isinstance(part, ToolCallPart):
            self._first, self._part, self._script = index, part, _script_of(ctx, part, self.counts)
            if self._script is not None:
                self._script.written(part)

    def _continues(self, delta: ToolCallPartDelta) -> None:
        part = None if self._part is None else delta.apply(self._part)
        if isinstance(part, ToolCallPart):
            self._part = part
            if self._script is not None:
                self._script.written(part)

    async def _forget(self) -> None:
        script, self._script, self._first, self._part = self._script, None, None, None
        if script is not None:
            await script.close()


_INSTEAD = 'Leave it away there: calls that a script gathers run at the same time.'


def _script_of(
    ctx: RunContext[AgentDepsT], part: ToolCallPart, counts: SpeculationCounts
) -> PartialScript[AgentDepsT] | None:
    """Return the script of a call, if its reads may start before it."""
    manager = ctx.tool_manager
    if manager is None or ctx.realtime or manager.get_parallel_execution_mode() != 'parallel':
        return None
    tool = (manager.tools or {}).get(part.tool_name)
    run_code = None if tool is None else listed_as(tool, RunCodeTool)
    if tool is None or run_code is None or tool.tool_def.kind != 'function':
        return None
    owner = run_code.owner
    if not isinstance(owner, CodeModeToolset):
        return None
    if any(isinstance(around, ApprovalRequiredToolset) for around in path_to(manager.toolset, owner) or ()):
        # Its calls wait for an approval before they reach it.
        return None
    return owner.partial_script(run_code, ctx, part, counts)
