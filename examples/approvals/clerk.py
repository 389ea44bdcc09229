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
    """Return the agent.

    Args:
        model: The model that writes the scripts.
        store: Stores paused scripts. The chat protocols carry only the id of a call, so the script has to be here.
        key: The secret that signs them.
        ttl: How long a decision may take.
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
    """Ask for approval of scripts that name `delete_customer` before they start.

    Reads in them may have started speculatively by then. Here everybody may read; otherwise, leave out
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
