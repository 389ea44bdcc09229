"""Chats of several turns, each of which is a run."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import Agent, InstructionDeltaPart, ModelMessage, ModelRequest
from pydantic_ai.toolsets import AbstractToolset

from tests.toolscript.scripted import Script, Turn, read_of_tools, run_code
from toolscript import CodeModeToolset, FunctionToolset, Sessions


def priced(product: str) -> float:
    return float(len(product))


def tools(*functions: Any) -> FunctionToolset[Any]:
    return FunctionToolset[Any]([*(functions or (priced,))])


def toolset(sessions: Sessions | None, *functions: Any, **options: Any) -> CodeModeToolset[Any]:
    return CodeModeToolset[Any](tools(*functions), sessions=sessions, **options)


@dataclass
class Chat:
    """A conversation whose turns are runs."""

    toolset: AbstractToolset[Any]
    conversation_id: str = 'chat'
    history: list[ModelMessage] = field(default_factory=list[ModelMessage])

    async def turn(self, *codes: str | Turn, deps: Any = None) -> list[Any]:
        """Run a turn and return, for each script, its result or the message of its retry."""
        turns: Sequence[Turn] = [run_code(code) if isinstance(code, str) else code for code in codes]
        script = Script([*turns])
        agent = Agent(script.model, toolsets=[self.toolset], deps_type=object)
        result = await agent.run('go', message_history=self.history, conversation_id=self.conversation_id, deps=deps)
        self.history = result.all_messages()
        return read_of_tools(result.new_messages())

    @property
    def reported(self) -> list[str | None]:
        """The appended instructions that the model read, in order."""
        parts = [part for message in self.history if isinstance(message, ModelRequest) for part in message.parts]
        return [part.content for part in parts if isinstance(part, InstructionDeltaPart)]
