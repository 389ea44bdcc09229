"""An agent whose tools declare who may call them and whether they are deferred."""

from collections.abc import Sequence

import pydantic_ai
from pydantic_ai import UserError
from pydantic_ai.capabilities import AgentCapability
from pydantic_ai.models import KnownModelName, Model
from pydantic_ai.output import OutputDataT, OutputSpec
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset
from typing_extensions import TypeForm, Unpack

from .code_mode import CodeMode
from .discovery.native_tool_search import ProviderOrOwnSearch, ProviderSearch
from .discovery.search_options import ToolSearchOptions
from .discovery.searchable_toolset import SearchableToolset
from .function_toolset import AgentKeywords, RegistersTools


class _CodeModeWithProviderSearch(CodeMode[AgentDepsT]):
    """Code mode for an agent that declares its provider's search itself."""

    def searchable(self, toolset: AbstractToolset[AgentDepsT]) -> SearchableToolset[AgentDepsT]:
        return ProviderOrOwnSearch(toolset, self.search, defer=self.defer)


class Agent(RegistersTools[AgentDepsT], pydantic_ai.Agent[AgentDepsT, OutputDataT]):
    """pydantic-ai's `Agent` with `CodeMode` built in, for tools that ask for it.

    Tools without these settings stay ordinary tools. `allowed_callers='code'` or `'both'` puts a tool in `run_code`;
    `defer_loading=True` hides it until a search finds it.
    """

    def __init__(
        self,
        model: Model | KnownModelName | str | None = None,
        *,
        output_type: OutputSpec[OutputDataT] = str,
        deps_type: type[AgentDepsT] | TypeForm[AgentDepsT] = object,
        tool_search_options: ToolSearchOptions | None = None,
        capabilities: Sequence[AgentCapability[AgentDepsT]] | None = None,
        **options: Unpack[AgentKeywords[AgentDepsT]],
    ) -> None:
        """Build the agent.

        Args:
            model: As in pydantic-ai.
            output_type: As in pydantic-ai.
            deps_type: As in pydantic-ai.
            tool_search_options: How deferred tools are found.
            capabilities: As in pydantic-ai.
            options: All other keywords of pydantic-ai's `Agent`.
        """
        search = tool_search_options or ToolSearchOptions()
        own: list[AgentCapability[AgentDepsT]] = [CodeMode[AgentDepsT](default_callers='direct', search=search)]
        if search.algorithm == 'regex':
            # Only a capability can request the provider's regex search.
            own = [
                ProviderSearch[AgentDepsT](options=search),
                _CodeModeWithProviderSearch[AgentDepsT](default_callers='direct', search=search),
            ]
        if any(isinstance(one, CodeMode) for one in capabilities or ()):
            # Engines record steps by the capability's id, so an agent has one code mode.
            if tool_search_options is not None:
                raise UserError(
                    'Give the search to the CodeMode of the agent: CodeMode(search=ToolSearchOptions(...)).'
                )
            own = []
        super().__init__(
            model, output_type=output_type, deps_type=deps_type, capabilities=[*(capabilities or ()), *own], **options
        )
