"""Scripts in workflows of Temporal, with a plugin for the worker that makes their steps cheap.

    client = await Client.connect('localhost:7233', plugins=[PydanticAIPlugin(), CodeModePlugin()])

An ordinary activity is a round trip to the server. With the plugin, a step is a local activity: the worker that runs
the workflow runs it too, and reports it together with what the workflow does next.
"""

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta

from pydantic_ai import UserError
from temporalio import activity, workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, FailureError, is_cancelled_exception
from temporalio.plugin import SimplePlugin
from temporalio.worker import Worker, WorkflowRunner
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner

from toolscript_sandbox import Sandbox
from toolscript_sandbox.steps import take_step

from .workflows import MAX_ATTEMPTS


class CodeModePlugin(SimplePlugin):
    """Plugin for workers whose workflows run agents in code mode. All workers of a task queue need it, or none."""

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        """`sandbox` runs the steps; by default the one that all runs of the process share."""

        @activity.defn(name=_STEP)
        async def step(request: str) -> str:
            return await take_step(sandbox or Sandbox.shared(), request)

        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            'toolscript.CodeModePlugin', activities=[step], workflow_runner=_passes_through
        )

    async def run_worker(self, worker: Worker, next: Callable[[Worker], Awaitable[None]]) -> None:
        """Run the worker, and register that it can run steps."""
        queue = worker.client.namespace, worker.task_queue
        _TAKE_STEPS[queue] += 1
        try:
            await super().run_worker(worker, next)
        finally:
            _TAKE_STEPS[queue] -= 1


@dataclass
class TemporalSteps:
    """Runs steps in local activities if the worker has the plugin, and in ordinary ones otherwise."""

    ordinary: Callable[[str], Awaitable[str]]
    seconds: float
    """How long a script may compute, in seconds."""
    _are_local: bool = field(default=False, init=False)

    async def __call__(self, request: str) -> str:
        """Run a step. Raises `UserError` if it failed too often, or this worker cannot run it."""
        try:
            return await (self._local(request) if self._is_local() else self.ordinary(request))
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            reason = error.cause.message if isinstance(error.cause, FailureError) else error
            raise UserError(_FAILED.format(reason=reason, seconds=self.seconds)) from error

    def _is_local(self) -> bool:
        info = workflow.info()
        if not workflow.unsafe.is_replaying() and not _TAKE_STEPS[info.namespace, info.task_queue]:
            if self._are_local:
                raise UserError(_NO_PLUGIN)
            return False
        # The workflow's history decides for all of its steps.
        self._are_local = workflow.patched(_STEP)
        return self._are_local

    async def _local(self, request: str) -> str:
        return await workflow.execute_local_activity(
            _STEP,
            request,
            result_type=str,
            start_to_close_timeout=timedelta(seconds=60 + 2 * self.seconds),
            retry_policy=RetryPolicy(maximum_attempts=MAX_ATTEMPTS),
        )


def _passes_through(runner: WorkflowRunner | None) -> WorkflowRunner:
    if not isinstance(runner, SandboxedWorkflowRunner):
        return runner or SandboxedWorkflowRunner()
    modules = 'toolscript', 'toolscript_sandbox', 'toolscript_signatures', 'rapidfuzz', 'regex', 'griffe'
    return replace(runner, restrictions=runner.restrictions.with_passthrough_modules(*modules))


_NO_PLUGIN = (
    'This worker has no CodeModePlugin, and the workflow began on a worker that has one. Give it to all workers of the '
    'task queue: Client.connect(..., plugins=[PydanticAIPlugin(), CodeModePlugin()]).'
)
_FAILED = (
    'A step of a script failed: {reason}. A step may compute for Limits(max_script_seconds={seconds:g}). If it needs '
    'longer than its activity may take, raise the start_to_close_timeout of TemporalDurability(activity_config=...), '
    'or lower the limit.'
)
_STEP = 'toolscript_step'
_TAKE_STEPS = Counter[tuple[str, str]]()
"""How many workers of this process have the plugin, by namespace and task queue."""
