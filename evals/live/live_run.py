"""One task by one route with a real model."""

from collections.abc import Sequence
from dataclasses import replace

from genai_prices import Usage
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModelSettings

from evals.judging import judge, run_of
from evals.measuring.prices import list_price
from evals.measuring.run import Cost, Run
from evals.routes import Route
from evals.stage import Stage
from evals.tasks.task import Task

_SETTINGS = AnthropicModelSettings(anthropic_cache=True, anthropic_cache_tool_definitions=True)
"""Anthropic caches what it is asked to; the others cache by themselves and take no notice."""


async def run_live(
    task: Task, route: Route, stage: Stage, model: Model, name: str, trial: int
) -> tuple[Run, list[ModelMessage]]:
    """The run and all that was said in it; its cost is what the provider counted, at list prices."""
    judged = await judge(task, route, stage, model, _SETTINGS)
    messages = judged.performance.messages
    run = run_of(task, route, name, judged, _cost(messages, name), trial)
    return replace(run, skipped=judged.performance.outage), messages


def _cost(messages: Sequence[ModelMessage], name: str) -> Cost:
    usages = [message.usage for message in messages if isinstance(message, ModelResponse)]
    return Cost(
        input_tokens=sum(usage.input_tokens for usage in usages),
        cached_tokens=sum(usage.cache_read_tokens for usage in usages),
        output_tokens=sum(usage.output_tokens for usage in usages),
        tool_tokens=0,
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
