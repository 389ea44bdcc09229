"""A model that plays scripts: like `TestModel`, but for code instead of direct calls.

`TestModel` generates arguments from a schema, in which code is any string: it would run `a`.
"""

from collections.abc import AsyncIterator

from pydantic_ai import ModelMessage, ModelResponse, TextPart, ToolCallPart, UserError
from pydantic_ai.messages import ModelRequest, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from pydantic_core import to_json


def script_model(*scripts: str) -> FunctionModel:
    """Return a model that runs the scripts, one per request, and then answers with the last result.

    It is stateless, so it can serve many runs, streamed or not: a script that failed or paused counts as played, and
    the next user prompt starts again from the first script.

    Args:
        scripts: Python for `run_code`, regardless of its name in the agent.

    Raises:
        UserError: In a run, if the agent offers no `run_code`.
    """

    def turn(messages: list[ModelMessage], info: AgentInfo) -> TextPart | ToolCallPart:
        played = _responses_in_this_run(messages)
        if played >= len(scripts):
            return TextPart(_last_result(messages))
        return ToolCallPart(_run_code(info), {'code': scripts[played]})

    def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse([turn(messages, info)])

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        part = turn(messages, info)
        if isinstance(part, TextPart):
            yield part.content
        else:
            yield {0: DeltaToolCall(part.tool_name, part.args_as_json_str(), tool_call_id=part.tool_call_id)}

    return FunctionModel(play, stream_function=stream, model_name='scripts')


def _responses_in_this_run(messages: list[ModelMessage]) -> int:
    prompts = [number for number, message in enumerate(messages) if _prompts(message)]
    since = messages[prompts[-1] :] if prompts else messages
    return sum(isinstance(message, ModelResponse) for message in since)


def _prompts(message: ModelMessage) -> bool:
    """Return whether the message is from a user, and not from a tool that returns a file."""
    parts = message.parts if isinstance(message, ModelRequest) else ()
    answers = any(isinstance(part, ToolReturnPart) for part in parts)
    return not answers and any(isinstance(part, UserPromptPart) for part in parts)


def _last_result(messages: list[ModelMessage]) -> str:
    answers = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
    if not answers:
        return 'The script returned nothing.'
    # A model that answers with nothing is asked again, and would play its scripts a second time.
    return answers[-1].model_response_str() or to_json(answers[-1].content).decode()


def _run_code(info: AgentInfo) -> str:
    offered = [tool.name for tool in info.function_tools if 'code_arg_name' in (tool.metadata or {})]
    if not offered:
        raise UserError('script_model plays scripts, but the agent offers no run_code: give it a CodeModeToolset.')
    return offered[0]
