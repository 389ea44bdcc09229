"""A scripted model: it plays its turns and records what it was shown."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import Agent, ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset

Turn = ToolCallPart | Sequence[ToolCallPart] | str | Callable[[list[ModelMessage], AgentInfo], 'Turn']


def run_code(code: str, *, restart: bool = False) -> ToolCallPart:
    return ToolCallPart('run_code', {'code': code, 'restart': True} if restart else {'code': code})


def search(query: str, **arguments: Any) -> ToolCallPart:
    return ToolCallPart('pai_tool_search_tool', {'query': query, **arguments})


def call(name: str, **arguments: Any) -> ToolCallPart:
    return ToolCallPart(name, arguments)


def read_of_tools(messages: Sequence[ModelMessage]) -> list[Any]:
    """Return what the model read of its tool calls: their results, and the messages of retries."""
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    return [getattr(part, 'content', None) for part in parts if part.part_kind in ('tool-return', 'retry-prompt')]


def functions_text(description: str | None) -> str:
    """Return the functions and types that a description of `run_code` shows."""
    lines = (description or '').splitlines(keepends=True)
    starts = ('class ', 'async def ', 'def ', '# ')
    return ''.join(lines[next(number for number, line in enumerate(lines) if line.startswith(starts)) :])


@dataclass
class Script:
    """Plays one turn per model request, then says 'done'."""

    turns: list[Turn]
    shown: list[dict[str, ToolDefinition]] = field(default_factory=list[dict[str, ToolDefinition]])
    """The tools of each request, by name."""
    answers: list[Any] = field(default_factory=list[Any])
    """The results of the model's tool calls, in order."""
    parts: list[ToolReturnPart] = field(default_factory=list[ToolReturnPart])
    """The same results, as message parts."""

    @property
    def model(self) -> FunctionModel:
        return FunctionModel(self._play)

    def _play(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.shown.append({tool.name: tool for tool in info.function_tools})
        returns = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        self.parts += returns
        self.answers += [part.content for part in returns]
        turn: Turn = self.turns.pop(0) if self.turns else 'done'
        while callable(turn):
            turn = turn(messages, info)
        match turn:
            case str():
                return ModelResponse([TextPart(turn)])
            case ToolCallPart():
                return ModelResponse([turn])
            case _:
                return ModelResponse([*turn])


def streaming(script: Script) -> FunctionModel:
    play = script.model.function
    assert play is not None

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        response = play(messages, info)
        assert isinstance(response, ModelResponse)
        for number, part in enumerate(response.parts):
            match part:
                case TextPart():
                    yield part.content
                case ToolCallPart():
                    yield {
                        number: DeltaToolCall(part.tool_name, part.args_as_json_str(), tool_call_id=part.tool_call_id)
                    }
                case _:
                    raise TypeError(part)

    return FunctionModel(play, stream_function=stream)


async def play(toolset: AbstractToolset[object], *turns: Turn, prompt: Any = 'go', **options: Any) -> Script:
    """Play turns with an agent that has one toolset."""
    script = Script([*turns])
    await Agent(script.model, toolsets=[toolset]).run(prompt, **options)
    return script
