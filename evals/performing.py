"""One agent performing one task by one route."""

from dataclasses import dataclass
from typing import Any

from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, capture_run_messages
from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset
from pydantic_ai.usage import UsageLimits

from evals.routes import Route
from evals.tasks.task import Task
from evals.worlds.crowd import crowd
from evals.worlds.world import World
from toolscript import pending_calls, resolve

INSTRUCTIONS = """\
You work with the tools you are given. Today is 2026-06-24.
Do what the user asks, and answer with nothing but the JSON value that is asked for."""
_MOST_REQUESTS = 120


@dataclass(frozen=True)
class Performance:
    """The outcome of a performance."""

    answer: str
    messages: list[ModelMessage]
    pauses: int
    """The number of times that the run paused to ask the user."""
    error: str | None = None
    outage: bool = False
    """Whether the error was the provider's, which says nothing about the model or the route."""


async def perform(
    task: Task, route: Route, world: World, model: Model, settings: ModelSettings | None = None
) -> Performance:
    """Perform the task. An exception that ends the run early becomes its error."""
    setup = route.prepare(tools_of(task, world))
    agent = Agent(
        model,
        deps_type=object,
        instructions=INSTRUCTIONS,
        toolsets=[setup.toolset],
        capabilities=[*setup.capabilities],
        output_type=[str, DeferredToolRequests] if task.check.decisions else str,
        retries=3,
        model_settings=settings,
    )
    pauses = 0
    limits = UsageLimits(request_limit=_MOST_REQUESTS)
    with capture_run_messages() as messages:
        try:
            result: Any = await agent.run(task.ask, deps=world.deps, usage_limits=limits)
        except Exception as error:
            return _failed(messages, pauses, error)
    while isinstance(result.output, DeferredToolRequests):
        pauses += 1
        decisions = _decide(result.output, task)
        with capture_run_messages() as messages:
            try:
                result = await agent.run(
                    message_history=result.all_messages(),
                    deferred_tool_results=decisions,
                    deps=world.deps,
                    usage_limits=limits,
                )
            except Exception as error:
                return _failed(messages, pauses, error)
    return Performance(result.output, result.all_messages(), pauses)


def _failed(messages: list[ModelMessage], pauses: int, error: Exception) -> Performance:
    return Performance('', messages, pauses, f'{type(error).__name__}: {error}', _is_outage(error))


def _is_outage(error: Exception) -> bool:
    if isinstance(error, ModelHTTPError):
        return error.status_code in (401, 403, 408, 409, 429) or error.status_code >= 500
    return isinstance(error, ModelAPIError)


def tools_of(task: Task, world: World) -> AbstractToolset[Any]:
    """Return the world's tools, together with those of other services if the task wants a crowd."""
    if not task.crowd:
        return world.toolset
    return CombinedToolset([crowd(task.crowd - world.size), world.toolset])


def _decide(requests: DeferredToolRequests, task: Task) -> DeferredToolResults:
    """Return the user's decisions, for direct calls and for calls of a script."""
    return resolve(
        requests, {call.tool_call_id: task.check.decisions[call.tool_name] for call in pending_calls(requests)}
    )
