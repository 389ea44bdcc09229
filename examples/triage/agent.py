"""The agent: all tools of all servers, hidden until they are found; opening an issue needs an approval."""

from collections.abc import Callable, Sequence
from secrets import token_hex

from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import Model
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset

from toolscript import CodeModeToolset, PendingCall, SearchableToolset, Snapshots, ToolRule, pending_calls, resolve

RULES = [ToolRule('create_issue', server='tracker', requires_approval=True)]

Triage = Agent[object, str | DeferredToolRequests]


def triage_agent(model: Model | str, servers: Sequence[AbstractToolset[object]]) -> Triage:
    """The agent.

    Args:
        model: Who writes the scripts.
        servers: Where the tools are.
    """
    hidden = CombinedToolset([server.defer_loading() for server in servers])
    code_mode = CodeModeToolset(SearchableToolset(hidden), rules=RULES, snapshots=Snapshots(key=token_hex()))
    return Agent(model, output_type=[str, DeferredToolRequests], toolsets=[code_mode])


async def triaged(agent: Triage, task: str, approve: Callable[[PendingCall], bool]) -> tuple[str, list[ModelMessage]]:
    """Do the task. The answer, and all that was said and done.

    Args:
        agent: Who does it.
        task: What is to be done.
        approve: Is asked about each call that waits.
    """
    result = await agent.run(task)
    while isinstance(result.output, DeferredToolRequests):
        decisions = {call.tool_call_id: approve(call) for call in pending_calls(result.output)}
        result = await agent.run(
            message_history=result.all_messages(), deferred_tool_results=resolve(result.output, decisions)
        )
    return result.output, result.all_messages()
