"""The output of a run, given by a script."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic_ai import RunContext, UserError
from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering, Instrumentation, WrapModelRequestHandler
from pydantic_ai.messages import ModelResponse, UserPromptPart
from pydantic_ai.models import ModelRequestContext, ModelRequestParameters
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator
from typing_extensions import TypedDict

from toolscript.catalog.code_catalog import CodeCatalog
from toolscript.discovery.misdirected_calls import answer_misdirected
from toolscript.results.final_answer import given_answer, unread_parts
from toolscript.routing.placement import first_listed, listed_among, listed_tools

from .functions import CodeFunctions, CodeTool
from .other_toolsets import misdirected_code_calls, offered_again, relist, with_new_description
from .tool import RunCodeTool, Step


@dataclass
class CodeOutput(AbstractCapability[AgentDepsT]):
    """Lets a script give the output of the agent's run, so that no model has to copy it: `await final_result(...)`.

    The agent's output tools become functions with the same names. Text output uses `final_text(text)`, and other output
    without a tool `final_result(...)`. After the script, the run continues as if the model had sent this output:
    validators and output functions run, and the model gets their refusals.

    It works with every code mode of the agent: `CodeModeToolset`, `CodeMode` and `toolscript.agent.Agent`.
    """

    def get_ordering(self) -> CapabilityOrdering:
        """Return the outermost place, because no model request is made if a script gave the output."""
        # A trace would show a request that was not made.
        return CapabilityOrdering(position='outermost', wraps=[Instrumentation])

    async def wrap_model_request(
        self, ctx: RunContext[AgentDepsT], *, request_context: ModelRequestContext, handler: WrapModelRequestHandler
    ) -> ModelResponse:
        """Return the output that a script gave, or the model's response.

        Raises:
            UserError: A tool has the name of one of the functions that give the output.
        """
        answer = _given(ctx)
        if answer is not None:
            return answer
        request_context.model_request_parameters = _with_output_functions(ctx, request_context.model_request_parameters)
        return await handler(request_context)


def gives_output(ctx: RunContext[AgentDepsT]) -> bool:
    found = list[AbstractCapability[AgentDepsT]]()
    if ctx.root_capability is not None:
        ctx.root_capability.apply(found.append)
    return any(isinstance(capability, CodeOutput) for capability in found)


def _given(ctx: RunContext[AgentDepsT]) -> ModelResponse | None:
    answer = given_answer(ctx.messages, listed_among(listed_tools(ctx), RunCodeTool))
    return None if answer is None or _has_unread_prompt(ctx) else answer


def _has_unread_prompt(ctx: RunContext[AgentDepsT]) -> bool:
    """Return whether there is a prompt that no model has read. Content that tools return does not count."""
    prompts = [part.content for part in unread_parts(ctx.messages) if isinstance(part, UserPromptPart)]
    return ctx.prompt is not None and ctx.prompt in prompts


def _with_output_functions(ctx: RunContext[AgentDepsT], parameters: ModelRequestParameters) -> ModelRequestParameters:
    """Return the parameters of a request, with a `run_code` that shows the functions that give the output."""
    listed = listed_tools(ctx)
    run_code = first_listed(listed, RunCodeTool)
    if run_code is None:
        return parameters
    answers = answer_tools(run_code.owner, parameters, listed)
    now = offered_again(run_code, with_answers(run_code.step, answers))
    relist(ctx, now)
    answer_misdirected(ctx, misdirected_code_calls(ctx, now))
    run_codes = listed_among(listed_tools(ctx), RunCodeTool)
    tools = [
        with_new_description(tool_def, run_code, now) if tool_def.name in run_codes else tool_def
        for tool_def in parameters.function_tools
    ]
    return replace(parameters, function_tools=tools)


FINAL_TEXT = 'final_text'
FINAL_RESULT = 'final_result'
"""pydantic-ai's name for an output tool without a name."""

_NOTHING: Mapping[str, Any] = {'type': 'null'}


class _Text(TypedDict):
    text: str


_text = SchemaValidator(TypeAdapter(_Text).core_schema)
_anything = SchemaValidator(TypeAdapter(dict[str, Any]).core_schema)


@dataclass(kw_only=True)
class AnswerTool(ToolsetTool[AgentDepsT]):
    """A function that gives the output of a run."""

    form: Literal['tool', 'json', 'text']
    """What a model would send: a call of the output tool, the arguments as JSON, or their text."""


def answer_tools(
    owner: AbstractToolset[AgentDepsT],
    parameters: ModelRequestParameters,
    listed: Mapping[str, ToolsetTool[AgentDepsT]],
) -> list[AnswerTool[AgentDepsT]]:
    """Return a function of `owner` for each output that the run takes, according to the parameters of a request."""
    tools = list(_output_tools(owner, parameters.output_tools, listed))
    if parameters.output_mode in ('native', 'prompted') and parameters.output_object is not None:
        output = parameters.output_object
        tools.append(_json_tool(owner, output.json_schema, output.description))
    elif parameters.allow_text_output and parameters.output_mode != 'auto':
        tools.append(_text_tool(owner))
    return tools


def any_answer_tools(
    owner: AbstractToolset[AgentDepsT], listed: Mapping[str, ToolsetTool[AgentDepsT]]
) -> list[AnswerTool[AgentDepsT]]:
    """Return the same as `answer_tools` before any request: unknown output may have any form."""
    tools = list(_output_tools(owner, (tool.tool_def for tool in listed.values()), listed))
    return [*(tools or [_json_tool(owner, {'type': 'object', 'additionalProperties': True}, None)]), _text_tool(owner)]


def with_answers(step: Step[AgentDepsT], answers: Sequence[AnswerTool[AgentDepsT]]) -> Step[AgentDepsT]:
    """Return the step with functions that give the output. Raises `UserError` if a tool has the name of one."""
    return replace(step, functions=_with_answers(step.functions, answers))


def output_schema(functions: CodeFunctions[Any]) -> dict[str, Any] | None:
    """Return the schema of the output that is sent as JSON, if there is such output."""
    schemas = [tool.tool_def.parameters_json_schema for tool in _answers(functions) if tool.form == 'json']
    return schemas[0] if schemas else None


def with_output_schema(
    functions: CodeFunctions[AgentDepsT], schema: dict[str, Any] | None
) -> CodeFunctions[AgentDepsT]:
    """Return the functions as they were for a script that was written for output of the schema."""
    if schema is None:
        return functions
    known = [_json_tool(tool.toolset, schema, None) if tool.form == 'json' else tool for tool in _answers(functions)]
    return _with_answers(functions, known)


def _answers(functions: CodeFunctions[AgentDepsT]) -> Iterator[AnswerTool[AgentDepsT]]:
    for name in functions.answers:
        tool = functions.tools[name].tool
        if isinstance(tool, AnswerTool):
            yield tool


def _with_answers(
    functions: CodeFunctions[AgentDepsT], answers: Sequence[AnswerTool[AgentDepsT]]
) -> CodeFunctions[AgentDepsT]:
    tools = {name: tool for name, tool in functions.tools.items() if name not in functions.answers}
    for answer in answers:
        _check_name_is_free(answer, tools, functions.direct_only)
        tools[answer.tool_def.name] = CodeTool(answer, answer.toolset)
    catalog = CodeCatalog({name: code_tool.tool.tool_def for name, code_tool in tools.items()})
    names = tuple(answer.tool_def.name for answer in answers)
    made = {answer.tool_def.name for answer in answers if answer.form != 'tool'}
    code_only = functions.code_only - set(functions.answers) | made
    return replace(functions, catalog=catalog, tools=tools, code_only=code_only, answers=names)


def _check_name_is_free(answer: AnswerTool[Any], *taken: Container[str]) -> None:
    name = answer.tool_def.name
    if any(name in names for names in taken):
        other = 'rename one of them' if answer.form == 'tool' else 'rename the tool'
        raise UserError(f'Tool name {name!r} is taken by CodeOutput; {other}, or remove CodeOutput.')


def _output_tools(
    owner: AbstractToolset[AgentDepsT],
    tool_defs: Iterable[ToolDefinition],
    listed: Mapping[str, ToolsetTool[AgentDepsT]],
) -> Iterator[AnswerTool[AgentDepsT]]:
    for tool_def in tool_defs:
        tool = listed.get(tool_def.name)
        if tool is not None and tool.tool_def.kind == 'output':
            yield _answer_tool(owner, tool_def, tool.args_validator, 'tool')


def _json_tool(
    owner: AbstractToolset[AgentDepsT], schema: dict[str, Any], description: str | None
) -> AnswerTool[AgentDepsT]:
    tool_def = ToolDefinition(
        name=FINAL_RESULT, description=description or 'The final result.', parameters_json_schema=schema
    )
    return _answer_tool(owner, tool_def, _anything, 'json')


def _text_tool(owner: AbstractToolset[AgentDepsT]) -> AnswerTool[AgentDepsT]:
    tool_def = ToolDefinition(
        name=FINAL_TEXT,
        description='The final answer, in the words in which it is to be read.',
        parameters_json_schema=TypeAdapter(_Text).json_schema(),
    )
    return _answer_tool(owner, tool_def, _text, 'text')


def _answer_tool(
    owner: AbstractToolset[AgentDepsT], tool_def: ToolDefinition, validator: Any, form: Literal['tool', 'json', 'text']
) -> AnswerTool[AgentDepsT]:
    shown = replace(tool_def, kind='function', sequential=False, return_schema=dict(_NOTHING))
    return AnswerTool(toolset=owner, tool_def=shown, max_retries=0, args_validator=validator, form=form)
