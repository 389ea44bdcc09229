"""The flows of a script, and the links that track its data from call to call."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.messages import ToolReturnPart
from pydantic_ai.tools import ToolDefinition

from toolscript.approvals.pending import REASON
from toolscript.catalog.function_metadata import is_saved_function
from toolscript.durability.journal import CallRaised, CallWaits
from toolscript.flows.rules import Flows
from toolscript.flows.script_flows import ParameterNames, ScriptFlows, script_flows
from toolscript.guards import parts_of
from toolscript.routing.placement import RUN_CODE, listed_tools
from toolscript.run_code.functions import CodeFunctions
from toolscript.run_code.history import snippets_until

from .nested_call import Callee, Link, NestedCall, Result


async def flows_of_script(
    flows: Flows,
    codes: Sequence[str],
    functions: CodeFunctions[Any],
    ctx: RunContext[Any],
    name: str,
    *,
    has_files: bool,
    earlier: Collection[str] | None,
) -> ScriptFlows:
    """Return the flows of the latest of the scripts that this run has made. `name`: the model's for `run_code`."""

    def tool_of(name: str) -> ToolDefinition | None:
        function = functions.catalog.get(name)
        tool_def = None if function is None else functions.tools[function.spec.name].tool.tool_def
        # No script shows what a saved function does, so it counts as an unknown variable.
        return None if tool_def is None or is_saved_function(tool_def) else tool_def

    read = _read_directly(flows, codes, ctx, name)
    return await script_flows(codes, flows, tool_of, read, has_files=has_files, earlier=earlier)


def _read_directly(flows: Flows, codes: Sequence[str], ctx: RunContext[Any], run_code: str) -> list[ToolDefinition]:
    """Return the tools whose results the model has read directly; those that are gone count as open to the world."""
    tools = listed_tools(ctx)
    # In pydantic-ai's words, a part may only say that the output of the run was accepted.
    parts = [part for part in parts_of(ctx.messages, ToolReturnPart) if part.content != 'Final result processed.']
    names = dict.fromkeys(part.tool_name for part in parts)
    found = [tools[name].tool_def if name in tools else _unlisted_tool(name) for name in names if name != run_code]
    earlier = len(snippets_until(ctx.messages, ctx.tool_call_id or RUN_CODE, run_code)) >= len(codes)
    # The sources of the scripts of earlier runs are no longer known.
    return [*found, _unlisted_tool('scripts of earlier runs')] if flows.show_results and earlier else found


def _unlisted_tool(name: str) -> ToolDefinition:
    return ToolDefinition(name=name, metadata={'open_world': True})


@dataclass
class FlowChecked:
    """Makes a call wait, or refuses it, if the rules say so about the data in its arguments."""

    next: Link
    flows: ScriptFlows
    script_id: str

    async def __call__(self, call: NestedCall) -> Result:
        """Return the result; if a rule asks, the tool is not called before a person has approved the flow."""
        callee = call.callee
        verdict = None if callee is None else self.flows.verdict(*_made(call, callee))
        if callee is None or verdict is None or (verdict.then == 'ask' and call.approval is not None):
            return await self.next(call)
        if verdict.then == 'refuse':
            self.flows.refusals.append(f'{call.call.function} was not called: {verdict.reason}.')
            return Result(CallRaised('PermissionError', self.flows.refusals[-1]), 'refusal')
        pending = call.pending('approval', callee.tool_def, self.script_id, {REASON: verdict.reason})
        return Result(CallWaits(pending), 'decision')


@dataclass
class FlowRecorded:
    """Records which calls have ended, because their results may be in arguments from then on."""

    next: Link
    flows: ScriptFlows

    async def __call__(self, call: NestedCall) -> Result:
        if call.callee is not None:
            call.origins = self.flows.origins(*_made(call, call.callee))
        try:
            return await self.next(call)
        finally:
            self.flows.ended(call.call.function, call.call.line)


def _made(call: NestedCall, callee: Callee) -> tuple[str, int | None, ParameterNames, dict[str, Any]]:
    parameters = [(one.key, one.name) for one in callee.function.parameters]
    return call.call.function, call.call.line, parameters, call.part.args_as_dict()
