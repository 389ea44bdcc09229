# pyright: basic, reportMissingImports=false
"""Temporal workflows with an agent in code mode, whose model sends the scripts of the prompt."""

from __future__ import annotations

import json
from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy

with workflow.unsafe.imports_passed_through():
    from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.durable_exec.temporal import PydanticAIWorkflow, TemporalDurability
    from pydantic_ai.messages import RetryPromptPart, UserPromptPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    from toolscript import CodeMode, CodeModeSteps, CodeModeToolset, FunctionToolset


def sends(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Send the scripts one after the other, and tell what came of them."""
    prompt = messages[0].parts[0]
    assert isinstance(prompt, UserPromptPart)
    scripts = json.loads(str(prompt.content))
    made = sum(isinstance(message, ModelResponse) for message in messages)
    if made < len(scripts):
        return ModelResponse([ToolCallPart('run_code', {'code': scripts[made]}, f'script-{made}')])
    parts = [part for message in messages for part in message.parts]
    told = [part.content for part in parts if isinstance(part, ToolReturnPart | RetryPromptPart)]
    return ModelResponse([TextPart(json.dumps(told))])


async def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


async def fail(why: str) -> str:
    """Fail."""
    raise ValueError(why)


def durability() -> TemporalDurability:
    once = RetryPolicy(maximum_attempts=1)
    return TemporalDurability(activity_config={'start_to_close_timeout': timedelta(minutes=1), 'retry_policy': once})


agent = Agent(FunctionModel(sends), name='desk', tools=[add, fail], capabilities=[CodeMode(), durability()])
by_toolset = Agent(
    FunctionModel(sends),
    name='by_toolset',
    toolsets=[CodeModeToolset(FunctionToolset([add, fail], id='tools'))],
    capabilities=[CodeModeSteps(), durability()],
)
without_steps = Agent(
    FunctionModel(sends),
    name='without_steps',
    toolsets=[CodeModeToolset(FunctionToolset([add, fail], id='tools'))],
    capabilities=[durability()],
)
AGENTS = {one.name: one for one in (agent, by_toolset, without_steps)}


@workflow.defn
class Desk(PydanticAIWorkflow):
    __pydantic_ai_agents__ = (*AGENTS.values(),)

    @workflow.run
    async def run(self, name: str, scripts: list[str]) -> str:
        """What came of the scripts."""
        result = await AGENTS[name].run(json.dumps(scripts))
        return result.output
