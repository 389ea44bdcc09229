"""The same tasks with real models."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from itertools import product

from genai_prices import Usage
from pydantic_ai import UserError
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, infer_model

from evals.measuring.prices import list_price
from evals.measuring.run import Cost, Run
from evals.performing import judge, run_of
from evals.routes import Route
from evals.stage import Stage
from evals.tasks.task import Task


class CannotStart(Exception):
    """The request cannot be fulfilled. The message says what to change."""


def models_named(names: Sequence[str]) -> dict[str, Model]:
    """Return the models by name.

    Raises:
        CannotStart: A model or its price is unknown, or its key is missing.
    """
    try:
        models = {name: infer_model(name) for name in names}
    except (UserError, ValueError, ImportError) as error:
        raise CannotStart(str(error)) from error
    for name in names:
        try:
            list_price(name, Usage(input_tokens=1, output_tokens=1))
        except LookupError as error:
            message = f'genai-prices knows no price of {name}, so no limit could be kept. Is it spelled right?'
            raise CannotStart(message) from error
    return models


async def live(
    tasks: Sequence[Task],
    routes: Sequence[Route],
    models: dict[str, Model],
    *,
    times: int,
    concurrency: int,
    limit: float,
    tell: Callable[[str], None],
) -> tuple[list[Run], list[str]]:
    """Run each task by each route with each model, `times` times, with at most `concurrency` runs at once.

    When `limit` dollars are spent, no new run starts; running ones are finished.

    Returns:
        The runs, and notes about those that do not count.
    """
    from pydantic_ai.models.anthropic import AnthropicModelSettings

    # Anthropic caches only on request; other providers ignore these settings.
    settings = AnthropicModelSettings(anthropic_cache=True, anthropic_cache_tool_definitions=True)
    spent, unstarted, broken = 0.0, 0, list[str]()
    stages = asyncio.Queue[Stage]()

    async def attempt(task: Task, route: Route, name: str) -> Run | None:
        nonlocal spent, unstarted
        stage = await stages.get()
        try:
            if spent >= limit:
                unstarted += 1
                return None
            judged = await judge(task, route, stage, models[name], settings)
        finally:
            stages.put_nowait(stage)
        run = run_of(task, route, name, judged, _cost(judged.messages, name))
        spent += run.cost.dollars
        tell(f'${spent:.2f} · {route.name}: {task.name}')
        if judged.outage:
            broken.append(run.error or '')
            return None
        return run

    async with AsyncExitStack() as stack:
        for _ in range(concurrency):
            stages.put_nowait(await stack.enter_async_context(Stage()))
        found = await asyncio.gather(*(attempt(*job) for job in product(tasks, routes, models) for _ in range(times)))
    notes = [f'${spent:.2f} were spent.']
    if unstarted:
        notes.append(f'{unstarted} runs were not started, because the limit was reached.')
    if broken:
        notes.append(f'{len(broken)} runs failed at the provider and do not count. The first: {broken[0]}')
    return [run for run in found if run is not None], notes


def _cost(messages: Sequence[ModelMessage], name: str) -> Cost:
    usages = [message.usage for message in messages if isinstance(message, ModelResponse)]
    return Cost(
        input_tokens=sum(usage.input_tokens for usage in usages),
        cached_tokens=sum(usage.cache_read_tokens for usage in usages),
        output_tokens=sum(usage.output_tokens for usage in usages),
        dollars=sum(
            list_price(
                name,
                Usage(
                    input_tokens=usage.input_tokens,
                    cache_read_tokens=usage.cache_read_tokens,
                    cache_write_tokens=usage.cache_write_tokens,
                    output_tokens=usage.output_tokens,
                ),
            )
            for usage in usages
        ),
    )
