"""The routes of calls that reach no ordinary tool: searches, the output of the run, and refused calls."""

from dataclasses import dataclass
from typing import Any, Generic

from pydantic_ai import ModelRetry
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import AgentDepsT
from pydantic_core import to_json

from toolscript.discovery.search_options import DiscoveredToolInfo
from toolscript.discovery.search_tool import SearchTool
from toolscript.discovery.searchable_toolset import search
from toolscript.durability.journal import CallRaised, Finished
from toolscript.results.final_answer import FinalAnswer
from toolscript.routing.placement import SEARCH_IN_CODE
from toolscript.run_code.code_output import AnswerTool
from toolscript_sandbox import Call, ToolError

from .nested_call import SEARCH_PARAMETERS, NestedCall, Result, ScriptContext
from .observed import Spans
from .tools import ToolResults


async def refuse(call: NestedCall) -> Result:
    assert call.refusal is not None
    return Result(CallRaised.of(call.refusal), 'refusal')


@dataclass
class Search(Generic[AgentDepsT]):
    """The route of `search_tools`."""

    tool: SearchTool[AgentDepsT]
    script: ScriptContext[AgentDepsT]
    spans: Spans | None = None

    async def __call__(self, call: NestedCall) -> Result:
        if self.spans is None:
            return await self._search(call.call)
        # The search's span is current meanwhile, so that the spans of an embedder, for example, are below it.
        with self.spans.of_search(call) as span:
            result = await self._search(call.call)
            self.spans.ended(span, result.outcome)
            return result

    async def _search(self, call: Call) -> Result:
        try:
            query, limit = _search_arguments(call)
            found = await search(self.tool, self.script.ctx, query, limit)
        except ToolError as error:
            return Result(CallRaised.of(error), 'search')
        except ModelRetry as error:
            return Result(CallRaised('ValueError', error.message), 'search')
        self.script.found.update(dict.fromkeys(info['name'] for info in found))
        return Result(Finished([self._callable_info(info) for info in found]), 'search')

    def _callable_info(self, info: DiscoveredToolInfo) -> DiscoveredToolInfo:
        name, functions = info['name'], self.script.functions
        if name not in functions.tools:
            shown = functions.shown_name(name)
            return {**info, 'description': f'(Call the tool {shown} directly, outside of code, from the next step on.)'}
        function = functions.catalog.of(name)
        if name not in functions.crowded_out:
            return {**info, 'name': function.name}
        return {**info, 'name': function.name, 'signature': function.render('signature')}


def _search_arguments(call: Call) -> tuple[str, int | None]:
    given = dict(zip(SEARCH_PARAMETERS, call.args, strict=False)) | call.kwargs
    query, limit = given.pop('query', ''), given.pop('max_results', None)
    if given or len(call.args) > len(SEARCH_PARAMETERS) or not isinstance(query, str):
        raise ToolError('TypeError', f'{SEARCH_IN_CODE} takes (query: str, max_results: int = 5)')
    return query, limit if isinstance(limit, int) else None


@dataclass
class GiveOutput(Generic[AgentDepsT]):
    """The route of the functions by which a script gives the output of its run: only once, and the first counts."""

    script: ScriptContext[AgentDepsT]
    results: ToolResults[AgentDepsT]

    async def __call__(self, call: NestedCall) -> Result:
        """Accept the output. An invalid output raises the error of the output type in the script."""
        assert call.callee is not None
        assert call.callee.output is not None
        try:
            self._give(call.callee.output, call.part)
        except Exception as error:
            return self.results.failed(call, error, 'refusal')
        return Result(Finished(), 'output')

    def _give(self, tool: AnswerTool[Any], part: ToolCallPart) -> None:
        state = self.script.state
        if state.output is not None or self.script.output_elsewhere:
            which = 'This script' if state.output is not None else 'Another script'
            raise ToolError('RuntimeError', f'{which} has given the final answer already; it can be given only once.')
        arguments = part.args_as_dict()
        content = to_json(arguments).decode()
        tool.args_validator.validate_json(content, context=self.script.ctx.validation_context)
        match tool.form:
            case 'tool':
                state.output = FinalAnswer(content, part.tool_name)
            case 'json':
                state.output = FinalAnswer(content)
            case 'text':
                state.output = FinalAnswer(_text(arguments['text']))


def _text(text: str) -> str:
    if not text.strip():
        raise ToolError('ValueError', 'The final answer is empty.')
    return text
