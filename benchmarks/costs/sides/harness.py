"""pydantic-ai-harness, the closest peer: a capability whose `run_code` also runs in Monty."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.toolsets import FunctionToolset

from benchmarks.costs.agents import actions_of, crowd_of, plain
from benchmarks.costs.sides.runs import Runs


def code(model: FunctionModel, toolset: FunctionToolset[object]) -> Agent[object, str]:
    capability: Any = import_module('pydantic_ai_harness').CodeMode()
    return Agent(model, deps_type=object, toolsets=[toolset], capabilities=[capability])


@asynccontextmanager
async def runs() -> AsyncGenerator[Runs]:
    yield Runs(actions_of(plain, code), crowd_of(code))
