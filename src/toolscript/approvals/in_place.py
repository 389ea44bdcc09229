"""Later questions of a script that was answered in place, by a handler such as `HandleDeferredToolCalls`.

pydantic-ai asks the handlers once in a step about a call, so code mode asks them again.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.tools import AgentDepsT, DeferredToolRequests, DeferredToolResults, ToolApproved, ToolDenied

from .decisions import Decisions
from .pause_marks import made_call
from .pending import call_digest, paused_request


@dataclass
class Questions:
    """What the scripts of one step have asked the application."""

    step: int | None = None
    asked: set[str] = field(default_factory=set[str])
    """The ids of the scripts, and the digests of their calls, whatever a plan says about those."""

    async def answer(
        self, pause: ApprovalRequired, ctx: RunContext[AgentDepsT], args: dict[str, Any]
    ) -> tuple[RunContext[AgentDepsT], dict[str, Any]]:
        """Ask the handlers of the run. Returns the context and the arguments with which `run_code` continues.

        Raises:
            ApprovalRequired: pydantic-ai has not asked about the script in this step; or the script waits for a call
                that a handler has seen; or no handler answers. Then pydantic-ai asks, or the run ends.
        """
        script_id = ctx.tool_call_id or ''
        request, made = paused_request(script_id, pause.metadata), made_call(ctx.messages, script_id)
        if request is None or made is None or ctx.tool_manager is None:
            raise pause
        earlier = self.asked if self.step == ctx.run_step else set[str]()
        asked = [call_digest(replace(call, row=None)) for call in request.calls]
        self.step, self.asked = ctx.run_step, earlier | {script_id, *asked}
        if script_id not in earlier or not asked or asked[0] in earlier:
            raise pause
        requests = DeferredToolRequests(approvals=[made.part], metadata={script_id: pause.metadata or {}})
        results = await ctx.tool_manager.resolve_deferred_tool_calls(requests)
        metadata = None if results is None else results.metadata.get(script_id)
        match None if results is None else results.to_tool_call_results().get(script_id):
            case ToolApproved(override_args=changed):
                args = args if changed is None else changed
            case ToolDenied() as denial:
                metadata = Decisions(request.snapshot, DeferredToolResults(), {}, denied=denial).to_metadata()
            case _:
                raise pause
        return replace(ctx, tool_call_approved=True, tool_call_metadata=metadata), args
