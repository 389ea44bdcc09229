"""Scripts in workflows of Temporal, with a plugin for the worker that makes their steps cheap.

    client = await Client.connect('localhost:7233', plugins=[PydanticAIPlugin(), CodeModePlugin()])

An ordinary activity is a round trip to the server. With the plugin, a step is a local activity: the worker that runs
the workflow takes it, and reports it together with what the workflow does next.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta

from temporalio import activity, workflow
from temporalio.common import RetryPolicy
from temporalio.plugin import SimplePlugin
from temporalio.worker import WorkerConfig, WorkflowRunner
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner

from toolscript_sandbox import Sandbox
from toolscript_sandbox.steps import take_step


class CodeModePlugin(SimplePlugin):
    """For workers whose workflows run agents in code mode. All workers of a task queue need it, or none."""

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        """`sandbox` takes the steps; by default that which all runs of the process share."""

        @activity.defn(name=_STEP)
        async def step(request: str) -> str:
            return await take_step(sandbox or Sandbox.shared(), request)

        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            'toolscript.CodeModePlugin', activities=[step], workflow_runner=_passes_through
        )

    def configure_worker(self, config: WorkerConfig) -> WorkerConfig:
        """Register the step."""
        _REGISTERED.add(_STEP)
        return super().configure_worker(config)


@dataclass
class TemporalSteps:
    """Takes steps in local activities if the worker has the plugin, and in ordinary ones otherwise."""

    ordinary: Callable[[str], Awaitable[str]]
    seconds: float
    """How long a script may compute."""
    _are_local: bool = field(default=False, init=False)

    async def __call__(self, request: str) -> str:
        """Take a step."""
        is_new = not workflow.unsafe.is_replaying()
        if is_new and not _REGISTERED:
            if self._are_local:
                raise RuntimeError(_NO_PLUGIN)
            return await self.ordinary(request)
        # What history a workflow has decides for all of its steps.
        self._are_local = workflow.patched(_STEP)
        if not self._are_local:
            return await self.ordinary(request)
        return await workflow.execute_local_activity(
            _STEP,
            request,
            result_type=str,
            start_to_close_timeout=timedelta(seconds=60 + 2 * self.seconds),
            retry_policy=RetryPolicy(maximum_attempts=5),
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
_STEP = 'toolscript_step'
_REGISTERED = set[str]()
"""The activities that the workers of this process have."""
