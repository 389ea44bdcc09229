"""Time and randomness in workflows, whose code an engine for durable execution may run again."""

import sys
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from pydantic_ai import RunContext, UserError
from pydantic_ai.models.wrapper import WrapperModel


def temporal_workflow() -> Any:
    """Return Temporal's module for workflow code if this is such code; otherwise `None`."""
    temporal: Any = sys.modules.get('temporalio.workflow')
    return temporal if temporal is not None and temporal.in_workflow() else None


def in_workflow(ctx: RunContext[Any]) -> bool:
    """Return whether an engine may run this code again, whether or not the agent's runs are durable."""
    return ctx.in_durable_context or temporal_workflow() is not None or _in_dbos_workflow() or _of_prefect_agent(ctx)


def _in_dbos_workflow() -> bool:
    dbos: Any = sys.modules.get('dbos')
    return dbos is not None and dbos.DBOS.workflow_id is not None and dbos.DBOS.step_id is None


def _of_prefect_agent(ctx: RunContext[Any]) -> bool:
    """Return whether a `PrefectAgent` runs in a flow. Any other agent may run in one, as all Python code may."""
    engine: Any = sys.modules.get('pydantic_ai.durable_exec.prefect')
    if engine is None or sys.modules['prefect.context'].FlowRunContext.get() is None:
        return False
    model: Any = ctx.model
    while isinstance(model, WrapperModel) and not isinstance(model, engine.PrefectModel):
        model = model.wrapped
    return isinstance(model, engine.PrefectModel)


def refuse_in_workflow(ctx: RunContext[Any], setting: str, instead: str) -> None:
    """Raise `UserError` in a workflow for a setting that would behave differently when the workflow is replayed."""
    if in_workflow(ctx):
        raise UserError(
            f'{setting} cannot be used in a workflow of a durable engine, which may run its code again at a later '
            f'moment. {instead}'
        )


def check_attempt() -> None:
    """Raise `UserError` if a script's step was tried too often: Temporal tries endlessly by default."""
    temporal: Any = sys.modules.get('temporalio.activity')
    if temporal is None or not temporal.in_activity():
        return
    info = temporal.info()
    spent, allowed = info.current_attempt_scheduled_time - info.scheduled_time, info.start_to_close_timeout
    # The death of a worker is detected sooner, and another worker may well complete the step.
    is_too_slow = info.attempt > MAX_ATTEMPTS and allowed is not None and spent >= MAX_ATTEMPTS * allowed
    if is_too_slow or info.attempt > _MAX_DEATHS:
        raise UserError(f'it was tried {info.attempt - 1} times, and did not end in time or lost its worker each time')


def now() -> float:
    temporal = temporal_workflow()
    return time.time() if temporal is None else temporal.time()


def new_id() -> str:
    temporal = temporal_workflow()
    return (uuid4() if temporal is None else temporal.uuid4()).hex


def clock_of(ctx: RunContext[Any]) -> Callable[[], float]:
    """Return a clock for a run's calls, in seconds; in workflows of engines other than Temporal it never advances."""
    temporal = temporal_workflow()
    if temporal is not None:
        return temporal.time
    return (lambda: 0.0) if ctx.in_durable_context else time.perf_counter


MAX_ATTEMPTS = 5
"""How often a step of a script is tried if its time runs out."""
_MAX_DEATHS = 50
"""How often it is tried if its worker dies."""
