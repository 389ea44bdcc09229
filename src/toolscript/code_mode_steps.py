"""Scripts in workflows of durable engines: the engine records each step of a script as one unit."""

import asyncio
import math
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pydantic_ai import RunContext, UserError
from pydantic_ai.capabilities import AbstractCapability, durable_operation
from pydantic_ai.tools import AgentDepsT

from .workflows import check_attempt, in_workflow, refuse_in_workflow, temporal_workflow

if TYPE_CHECKING:
    from toolscript_sandbox import Sandbox, Session

    from .settings import CodeModeSettings


@dataclass(kw_only=True)
class CodeModeSteps(AbstractCapability[AgentDepsT]):
    """Lets scripts of a `CodeModeToolset` run in workflows of Temporal, DBOS and Prefect.

    `CodeMode` is one; an agent with `toolsets=[CodeModeToolset(...)]` needs it as an additional capability.
    """

    id: str | None = field(default='toolscript', init=False, repr=False)
    """Part of the name under which engines record steps, so it never changes."""
    sandbox: 'Sandbox | None' = None
    """Where steps run; by default the pool that all runs of the process share."""

    @durable_operation(name='step')
    async def step(self, ctx: RunContext[AgentDepsT], request: str) -> str:
        """Run one step of a script, in the activity, step or task that the engine makes of this method."""
        from toolscript_sandbox import Sandbox
        from toolscript_sandbox.steps import take_step

        check_attempt()
        return await take_step(self.sandbox or Sandbox.shared(), request)


def stepped(ctx: RunContext[AgentDepsT], settings: 'CodeModeSettings') -> 'Callable[[], Session] | None':
    """Return a function that opens a session whose steps the engine records; `None` outside of a workflow.

    Raises `UserError` in a workflow if no capability of the agent runs steps, or if a setting does not work there.
    """
    if not in_workflow(ctx):
        return None
    from toolscript_sandbox import Sandbox
    from toolscript_sandbox.steps import SteppedSession

    parts = list[AbstractCapability[AgentDepsT]]()
    if ctx.root_capability is not None:
        ctx.root_capability.apply(parts.append)
    steps = next((part for part in parts if isinstance(part, CodeModeSteps)), None)
    if steps is None or not ctx.in_durable_context:
        raise UserError(_NOTHING_TAKES_STEPS)
    _refuse_what_is_not_recorded(ctx, settings)
    # A step needs only its request, and the engine would store the context in the history with each step.
    light = replace(ctx, tool_call_metadata=None, tool_manager=None)
    limits, sandbox = settings.limits, settings.sandbox or Sandbox.shared()

    def ordinary(request: str) -> Awaitable[str]:
        return steps.step(light, request)

    if temporal_workflow() is None:
        # When such an engine replays recorded calls, they end in any order.
        return lambda: SteppedSession(sandbox, limits, ordinary, patience=math.inf)
    from .temporal import TemporalSteps

    take = TemporalSteps(ordinary, limits.max_script_seconds) if steps.sandbox is None else ordinary
    return lambda: SteppedSession(sandbox, limits, take, patience=1.0)


def _refuse_what_is_not_recorded(ctx: RunContext[AgentDepsT], settings: 'CodeModeSettings') -> None:
    """Refuse settings whose state would be that of a later moment when the workflow is replayed."""
    has_plans = settings.plan_writes or any(rule.plan_writes for rule in settings.rules)
    has_stored_functions = settings.functions is not None and settings.functions.store is not None
    has_undo = settings.undo_tool or settings.undo_on is not None
    for is_set, setting, instead in (
        (has_undo, 'undo_tool or undo_on', _INSTEAD_OF_UNDO),
        (settings.snapshots.store is not None, 'Snapshots(store=...)', _INSTEAD_OF_STORE),
        (settings.sessions is not None, 'Sessions(...)', _INSTEAD_OF_SESSIONS),
        (has_stored_functions, 'SavedFunctions(store)', _INSTEAD_OF_FUNCTIONS),
        (settings.flows is not None, 'Flows(...)', _INSTEAD_OF_FLOWS),
        (has_plans, 'plan_writes=True', _INSTEAD_OF_PLANS),
        (settings.files is not None, 'Files(...)', _INSTEAD_OF_FILES),
    ):
        if is_set:
            refuse_in_workflow(ctx, setting, instead)


def pass_imports_through() -> None:
    """In the sandbox of a Temporal worker, use the worker's own modules: copies would define other classes."""
    temporal = sys.modules.get('temporalio.workflow')
    if temporal is None:
        return
    with temporal.unsafe.imports_passed_through():
        if temporal.unsafe.in_sandbox():
            _import_what_runs_need()
        else:
            _import_it_once()


def _import_what_runs_need() -> None:
    from . import _in_workflows

    for module in (*_in_workflows.LOADED, *_LATER):
        with suppress(ImportError):
            __import__(module)


_import_it_once = cache(_import_what_runs_need)

_LATER = (
    'toolscript.search.bm25',
    'toolscript.search.patterns',
    'toolscript.search.ranked',
    'toolscript.search.scoring',
    'toolscript.temporal',
    'rapidfuzz.distance',
    'cryptography.exceptions',
    'cryptography.hazmat.primitives.ciphers.aead',
    'cryptography.hazmat.primitives.hashes',
    'cryptography.hazmat.primitives.kdf.hkdf',
)
"""Modules that a run may import, where they are installed."""
_INSTEAD_OF_STORE = 'The engine itself stores what a script did and where it waits: leave the store away there.'
_INSTEAD_OF_SESSIONS = (
    'Variables live as long as the run: leave sessions away there, and let scripts read again what they need.'
)
_INSTEAD_OF_FUNCTIONS = 'SavedFunctions(folder=...) can: they come with the program.'
_INSTEAD_OF_UNDO = (
    'Give scripts tools that undo: the record of what they changed needs a store, which is refused there.'
)
_INSTEAD_OF_PLANS = 'Require approvals of the tools instead: ToolRule(read_only=False, requires_approval=True).'
_INSTEAD_OF_FILES = 'Give scripts tools that read and write: the engine keeps these from running twice.'
_INSTEAD_OF_FLOWS = 'Use ToolRule(read_only=False, requires_approval=True) there.'
_NOTHING_TAKES_STEPS = """\
Scripts run in a workflow of a durable engine only if the engine records their steps. Use the CodeMode capability, or \
put CodeModeSteps() beside the CodeModeToolset: Agent(..., toolsets=[CodeModeToolset(...)], \
capabilities=[CodeModeSteps(), TemporalDurability()]), with the durability of your engine. TemporalAgent, DBOSAgent \
and PrefectAgent of pydantic-ai record no steps: use the agent that they wrap, with TemporalDurability, DBOSDurability \
or PrefectDurability. An agent that the engine need not record runs in an activity, step or task of its own."""


class OnDemand:
    """A module that is imported when one of its names is first used."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = self.__dict__[name] = getattr(import_module(self._module), name)
        return value


async def load_what_runs_need(ctx: RunContext[Any], settings: 'CodeModeSettings') -> None:
    """Import it in a thread, because that takes long and would block the event loop."""
    pass_imports_through()
    if not hasattr(sys.modules.get(f'{__package__}._lazy'), 'IS_LOADED'):
        starts = settings.default_callers != 'direct' and not in_workflow(ctx)
        await asyncio.to_thread(_load, settings if starts else None)


def _load(starting: 'CodeModeSettings | None') -> None:
    from toolscript_sandbox import Sandbox
    from toolscript_sandbox.language.syntax import uncollected

    with uncollected():
        if starting is not None:
            # The workers are other processes, which start while this one imports the rest.
            (starting.sandbox or Sandbox.shared()).start_ahead()
        import_module('._lazy', __package__)
