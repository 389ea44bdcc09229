"""The search tool as code mode lists it: what it finds comes with Python signatures where no description shows them."""

from dataclasses import dataclass, replace

from pydantic import TypeAdapter
from pydantic_ai import ToolReturn
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import ToolsetTool

from toolscript.discovery.discoveries import SIGNED_KEY
from toolscript.discovery.search_options import DiscoveredToolInfo, SearchResult
from toolscript.discovery.search_tool import SearchTool

from .code_functions import CodeFunctions

_search_result = TypeAdapter(SearchResult)


@dataclass(kw_only=True)
class SignedSearchTool(SearchTool[AgentDepsT]):
    """A search tool that knows what its tools look like in code."""

    listed: ToolsetTool[AgentDepsT]
    """As the wrapped toolset lists it."""
    functions: CodeFunctions[AgentDepsT]
    signs: bool
    """Whether results tell signatures; else the description of `run_code` does, in the next step."""

    def signed(self, result: ToolReturn[SearchResult]) -> ToolReturn[SearchResult]:
        """The result of a search, with the signature of each tool that code may call where nothing else tells it."""
        found = _search_result.validate_python(result.return_value)
        signed = SearchResult(message=found['message'], tools=[self._signed_info(info) for info in found['tools']])
        names = [info['name'] for info in found['tools'] if self._signs(info['name'])]
        return replace(result, return_value=signed, metadata={**(result.metadata or {}), SIGNED_KEY: names})

    def _signs(self, name: str) -> bool:
        return name in self.functions.crowded_out or (self.signs and name in self.functions.tools)

    def _signed_info(self, info: DiscoveredToolInfo) -> DiscoveredToolInfo:
        if not self._signs(info['name']):
            return info
        signature = self.functions.catalog.of(info['name']).render('full')
        if self.options.tool_renderer is not None:
            return {**info, 'signature': signature}
        # The docstring of the signature is the description.
        return {'name': info['name'], 'signature': signature}


def signed_search_tool(
    listed: ToolsetTool[AgentDepsT],
    search: SearchTool[AgentDepsT],
    functions: CodeFunctions[AgentDepsT],
    signs: bool,
) -> SignedSearchTool[AgentDepsT]:
    """The search tool behind `listed`, telling signatures."""
    return SignedSearchTool(
        toolset=listed.toolset,
        tool_def=listed.tool_def,
        max_retries=listed.max_retries,
        args_validator=listed.args_validator,
        owner=search.owner,
        hidden=search.hidden,
        deferred=search.deferred,
        options=search.options,
        listed=listed,
        functions=functions,
        signs=signs,
    )
