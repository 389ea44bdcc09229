"""Our code mode and its floors."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from pydantic_ai import Agent
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.toolsets import FunctionToolset

from benchmarks.costs.agents import actions_of, crowd_of, direct_crowd, plain
from benchmarks.costs.floors import pydantic_ai_calls, raw_monty
from benchmarks.costs.sides.runs import Runs
from toolscript import CodeModeToolset


def code(model: FunctionModel, toolset: FunctionToolset[object]) -> Agent[object, str]:
    return Agent(model, deps_type=object, toolsets=[CodeModeToolset(toolset)])


@asynccontextmanager
async def runs() -> AsyncGenerator[Runs]:
    async with raw_monty() as raw:
        yield Runs({**actions_of(plain, code), **raw, **pydantic_ai_calls()}, crowd_of(code), direct_crowd())
