"""An agent whose scripts may give its output, and a scripted model that writes them."""

from dataclasses import dataclass
from typing import Any

from pydantic_ai import Agent, ModelMessage, ToolCallPart, ToolReturnPart
from pydantic_ai.capabilities import AgentCapability
from pydantic_ai.messages import TextPart

from tests.toolscript.scripted import Script, Turn, streaming
from toolscript import CodeModeToolset, CodeOutput, FunctionToolset


def shelf() -> FunctionToolset[object]:
    def pieces() -> list[int]:
        """The pieces on each shelf."""
        return [20, 22]

    return FunctionToolset[object]([pieces])


@dataclass
class Done:
    """A finished run."""

    output: Any
    asked: int
    """The number of requests to the model."""
    requests: int
    """The number of requests that the run counted."""
    messages: list[ModelMessage]
    script: Script

    @property
    def lines(self) -> list[str]:
        """The history, one line for each part."""
        return [_line(part) for message in self.messages for part in message.parts]

    @property
    def prompt(self) -> str:
        """The first description of `run_code` that the model read."""
        return self.script.shown[0]['run_code'].description or ''


def _line(part: Any) -> str:
    match part:
        case ToolCallPart():
            return f'{part.tool_name}({part.args_as_json_str()})'
        case ToolReturnPart():
            return f'{part.tool_name} -> {part.model_response_str()}'
        case TextPart():
            return f'says {part.content}'
        case _:
            return f'{type(part).__name__} {part.content}'


def agent(script: Script, output_type: Any = str, **options: Any) -> Agent[None, Any]:
    capabilities: list[AgentCapability[None]] = [CodeOutput(), *options.pop('capabilities', ())]
    toolset = options.pop('toolset', None) or CodeModeToolset(shelf(), max_retries=9)
    return Agent(streaming(script), output_type=output_type, toolsets=[toolset], capabilities=capabilities, **options)


async def done(output_type: Any, *turns: Turn, **options: Any) -> Done:
    """Run the agent with a model that plays these turns."""
    script = Script([*turns])
    result = await agent(script, output_type, **options).run('go')
    return Done(result.output, len(script.shown), result.usage.requests, result.all_messages(), script)
