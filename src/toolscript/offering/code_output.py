"""The output of a run, given by a script."""

from dataclasses import dataclass, replace

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering, Instrumentation, WrapModelRequestHandler
from pydantic_ai.messages import ModelResponse, UserPromptPart
from pydantic_ai.models import ModelRequestContext, ModelRequestParameters
from pydantic_ai.tools import AgentDepsT

from toolscript.results.final_answer import given_answer, unread_parts
from toolscript.routing.listed import listed_as

from .answer_tools import answer_tools, with_answers
from .other_toolsets import described_anew, listed_run_code, offered_again, relist
from .run_code_tool import RunCodeTool
from .wrong_doors import open_doors


@dataclass
class CodeOutput(AbstractCapability[AgentDepsT]):
    """Lets a script give the output of the agent's run: `await final_result(...)`, and no model has to copy it out.

    The agent's output tools are functions in code, by their names; text is given with `final_text(text)`, output that a
    model sends as JSON with `final_result(...)`. Once the script has ended, the run goes on as if the model had sent
    that output: it is validated, output functions and validators run, and what they refuse goes to the model.

    It works with every code mode of the agent: `CodeModeToolset`, `CodeMode` and `toolscript.Agent`.
    """

    def get_ordering(self) -> CapabilityOrdering:
        """Around all that has to do with a request, of which there is none when an answer has been given."""
        # A trace of the request would tell of one that was not made.
        return CapabilityOrdering(position='outermost', wraps=[Instrumentation])

    async def wrap_model_request(
        self, ctx: RunContext[AgentDepsT], *, request_context: ModelRequestContext, handler: WrapModelRequestHandler
    ) -> ModelResponse:
        """The answer that a script gave; the model's otherwise.

        Raises:
            UserError: A tool has the name of one of the functions that give the output.
        """
        answer = _given(ctx)
        if answer is not None:
            return answer
        request_context.model_request_parameters = _offering(ctx, request_context.model_request_parameters)
        return await handler(request_context)


def gives_output(ctx: RunContext[AgentDepsT]) -> bool:
    """Whether scripts of the run may give its output."""
    found = list[AbstractCapability[AgentDepsT]]()
    if ctx.root_capability is not None:
        ctx.root_capability.apply(found.append)
    return any(isinstance(capability, CodeOutput) for capability in found)


def _given(ctx: RunContext[AgentDepsT]) -> ModelResponse | None:
    answer = given_answer(ctx.messages, _run_codes(ctx))
    return None if answer is None or _user_said_more(ctx) else answer


def _user_said_more(ctx: RunContext[AgentDepsT]) -> bool:
    """Whether there is a prompt that no model has read. What tools return for the model to see is none."""
    prompts = [part.content for part in unread_parts(ctx.messages) if isinstance(part, UserPromptPart)]
    return ctx.prompt is not None and ctx.prompt in prompts


def _offering(ctx: RunContext[AgentDepsT], parameters: ModelRequestParameters) -> ModelRequestParameters:
    """What is sent of a request, `run_code` showing the functions that give the output."""
    listed = (ctx.tool_manager.tools or {}) if ctx.tool_manager is not None else {}
    run_code = listed_run_code(listed)
    if run_code is None:
        return parameters
    answers = answer_tools(run_code.owner, parameters, listed)
    now = offered_again(run_code, with_answers(run_code.step, answers))
    relist(ctx, now)
    open_doors(ctx, now.owner, now.functions, now.functions.search, max_retries=now.max_retries)
    names = _run_codes(ctx)
    tools = [
        described_anew(tool_def, run_code, now) if tool_def.name in names else tool_def
        for tool_def in parameters.function_tools
    ]
    return replace(parameters, function_tools=tools)


def _run_codes(ctx: RunContext[AgentDepsT]) -> set[str]:
    listed = (ctx.tool_manager.tools or {}) if ctx.tool_manager is not None else {}
    return {name for name, tool in listed.items() if listed_as(tool, RunCodeTool)}
