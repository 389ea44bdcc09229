"""The search tool as code mode lists it: what it finds comes with Python signatures."""

from dataclasses import dataclass, replace

from pydantic import TypeAdapter
from pydantic_ai import ToolReturn
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import ToolsetTool

from toolscript.discovery.discoveries import SIGNED_KEY
from toolscript.discovery.search_options import DiscoveredToolInfo, SearchResult
from toolscript.discovery.search_tool import SearchTool
from toolscript_signatures import Detail

from .code_functions import CodeFunctions

_search_result = TypeAdapter(SearchResult)


@dataclass(kw_only=True)
class SignedSearchTool(SearchTool[AgentDepsT]):
    """A search tool that knows what its tools look like in code."""

    listed: ToolsetTool[AgentDepsT]
    """As the wrapped toolset lists it."""
    functions: CodeFunctions[AgentDepsT]
    detail: Detail
    """How much of a signature a result tells."""

    def signed(self, result: ToolReturn[SearchResult]) -> ToolReturn[SearchResult]:
        """The result of a search, with the signature of each tool that code may call."""
        found = _search_result.validate_python(result.return_value)
        signed = SearchResult(message=found['message'], tools=[self._signed_info(info) for info in found['tools']])
        return replace(result, return_value=signed, metadata={**(result.metadata or {}), SIGNED_KEY: self._full(found)})

    def _full(self, found: SearchResult) -> list[str]:
        """The tools whose result tells all there is to know of their signature."""
        names = [info['name'] for info in found['tools']]
        return [name for name in names if name in self.functions.tools] if self.detail == 'full' else []

    def _signed_info(self, info: DiscoveredToolInfo) -> DiscoveredToolInfo:
        if info['name'] not in self.functions.tools:
            return info
        return {**info, 'signature': self.functions.catalog.of(info['name']).render(self.detail)}


def signed_search_tool(
    listed: ToolsetTool[AgentDepsT],
    search: SearchTool[AgentDepsT],
    functions: CodeFunctions[AgentDepsT],
    detail: Detail,
) -> SignedSearchTool[AgentDepsT]:
    """The search tool behind `listed`, telling signatures."""
    return SignedSearchTool(
        toolset=listed.toolset,
        tool_def=listed.tool_def,
        max_retries=listed.max_retries,
        args_validator=listed.args_validator,
        hidden=search.hidden,
        deferred=search.deferred,
        options=search.options,
        listed=listed,
        functions=functions,
        detail=detail,
    )
