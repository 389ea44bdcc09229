"""One agent performing one task by one route, and whether it succeeded."""

import re
from dataclasses import dataclass, replace
from typing import Any

from pydantic_ai import Agent, AgentRunResult, DeferredToolRequests, DeferredToolResults, capture_run_messages
from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset
from pydantic_ai.usage import UsageLimits

from evals.measuring.ledger import ledger_of
from evals.measuring.run import Cost, Run
from evals.playing.shown import json_or_none
from evals.routes import Route
from evals.stage import Stage
from evals.tasks.task import Task, same
from evals.worlds.crowd import crowd
from evals.worlds.world import World, changes
from toolscript import pending_calls, resolve

INSTRUCTIONS = """\
You work with the tools you are given. Today is 2026-06-24.
Do what the user asks, and answer with nothing but the JSON value that is asked for."""
_MAX_REQUESTS = 120


@dataclass(frozen=True)
class Performance:
    answer: str
    messages: list[ModelMessage]
    pauses: int
    """The number of times that the run paused to ask the user."""
    error: str | None = None
    outage: bool = False
    """Whether the error was the provider's, which says nothing about the model or the route."""
    right_answer: bool = False
    right_state: bool = False


async def judge(
    task: Task, route: Route, stage: Stage, model: Model, settings: ModelSettings | None = None
) -> Performance:
    """Perform the task in a new world and compare the outcome with the right one."""
    async with stage.world(task.world) as world:
        before = world.snapshot()
        done = await perform(task, route, world, model, settings)
        right_state = changes(before, world.snapshot()) == sorted(task.changes)
        return replace(done, right_answer=is_right(done.answer, task.answer), right_state=right_state)


def run_of(task: Task, route: Route, model: str, performance: Performance, cost: Cost) -> Run:
    return Run(
        **vars(ledger_of(performance.messages)),
        task=task.name,
        kind=task.kind,
        route=route.name,
        model=model,
        crowd=task.crowd,
        right_answer=performance.right_answer,
        right_state=performance.right_state,
        answer=performance.answer,
        error=performance.error,
        pauses=performance.pauses,
        cost=cost,
    )


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
        output_type=[str, DeferredToolRequests] if task.decisions else str,
        retries=3,
        model_settings=settings,
    )
    pauses, limits = 0, UsageLimits(request_limit=_MAX_REQUESTS)
    prompt: str | None = task.ask
    history: list[ModelMessage] | None = None
    decisions: DeferredToolResults | None = None
    while True:
        with capture_run_messages() as messages:
            try:
                result: AgentRunResult[Any] = await agent.run(
                    prompt,
                    deps=world.deps,
                    usage_limits=limits,
                    message_history=history,
                    deferred_tool_results=decisions,
                )
            except Exception as error:
                return Performance('', messages, pauses, f'{type(error).__name__}: {error}', _is_outage(error))
        if not isinstance(result.output, DeferredToolRequests):
            return Performance(result.output, result.all_messages(), pauses)
        pauses += 1
        prompt, history, decisions = None, result.all_messages(), _decide(result.output, task)


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
    return resolve(
        requests, {call.tool_call_id: task.decisions.get(call.tool_name, False) for call in pending_calls(requests)}
    )


_FENCED = re.compile(r'```(?:json)?\s*(.*?)```', re.DOTALL)


def is_right(answer: str, wanted: object) -> bool:
    """Return whether the answer is the expected JSON value or ends in it."""
    return any(same(value, wanted) for value in _values(answer))


def _values(answer: str) -> list[object]:
    """Return the JSON values that the answer may mean: all of it, a fenced block, its last line, the text itself."""
    lines = answer.strip().splitlines() or ['']
    candidates = [answer, *_FENCED.findall(answer), lines[-1]]
    return [*(value for text in candidates if (value := json_or_none(text)) is not None), answer.strip().strip('"')]
