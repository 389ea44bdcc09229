"""The agent behind the chat."""

from datetime import timedelta
from typing import Any

from pydantic_ai import Agent, DeferredToolRequests, RunContext
from pydantic_ai.capabilities import Hooks
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.models import Model
from pydantic_ai.tools import ToolDefinition

from examples.approvals.shop import Shop, tools
from toolscript import CodeModeToolset, Snapshots, SnapshotStore, SpeculativeReads, ToolRule

Clerk = Agent[Shop, str | DeferredToolRequests]


def clerk(model: Model, store: SnapshotStore, key: str, ttl: timedelta = timedelta(days=7)) -> Clerk:
    """The agent.

    Args:
        model: Who writes the scripts.
        store: Where scripts wait. The chat protocols carry only the id of a call, so the script has to be here.
        key: The secret that signs them.
        ttl: How long somebody may take to decide.
    """
    snapshots = Snapshots(key=key, store=store, ttl=ttl)
    return Agent(
        model,
        deps_type=Shop,
        output_type=[str, DeferredToolRequests],
        instructions='You are the clerk of a small shop.',
        toolsets=[CodeModeToolset(tools, snapshots=snapshots, rules=[ToolRule('credit', plan_writes=True)])],
        capabilities=[SpeculativeReads(), _asks_before_scripts_that_delete()],
    )


def _asks_before_scripts_that_delete() -> Hooks[Shop]:
    """Somebody reads a script that names `delete_customer` before it begins.

    Reads in it may have started early by then. They are allowed to anybody here; where they are not, leave out
    `SpeculativeReads`.
    """
    hooks = Hooks[Shop]()

    @hooks.on.before_tool_execute(tools=['run_code'])
    async def ask(
        ctx: RunContext[Shop], *, call: ToolCallPart, tool_def: ToolDefinition, args: dict[str, Any]
    ) -> dict[str, Any]:
        if 'delete_customer' in str(args.get('code')) and not ctx.tool_call_approved:
            raise ApprovalRequired()
        return args

    assert callable(ask)
    return hooks
