"""Code mode for all of an agent's tools."""

from dataclasses import dataclass
from typing import Any

from pydantic_ai.capabilities import CapabilityOrdering, ToolSearch
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset

from .code_mode_steps import CodeModeSteps, pass_imports_through
from .code_mode_toolset import CodeModeToolset
from .discovery.searchable_toolset import SearchableToolset
from .from_data import described_by, values
from .settings import SearchableCodeModeSettings


@dataclass(kw_only=True)
class CodeMode(SearchableCodeModeSettings, CodeModeSteps[AgentDepsT]):
    """Puts all tools of an agent behind `run_code`, and the deferred ones behind a search.

    The same as `CodeModeToolset(SearchableToolset(everything))`, for tools registered with `@agent.tool` too.
    """

    def __post_init__(self) -> None:
        pass_imports_through()
        self.check()

    @classmethod
    @described_by(SearchableCodeModeSettings)
    def from_spec(cls, **settings: Any) -> 'CodeMode[Any]':
        """From the plain data of an agent's spec: `{'CodeMode': {'limits': {'max_calls': 50}}}`.

        Raises:
            UserError: A setting has a value that it does not take, or does not exist.
        """
        return CodeMode[Any](**values(SearchableCodeModeSettings, settings))

    def get_ordering(self) -> CapabilityOrdering:
        """Around all other toolsets, and inside upstream's tool search, which then finds nothing left to hide."""
        return CapabilityOrdering(position='outermost', wrapped_by=[ToolSearch])

    def searchable(self, toolset: AbstractToolset[AgentDepsT]) -> SearchableToolset[AgentDepsT]:
        """The agent's tools behind our search."""
        return SearchableToolset(toolset, self.search, defer=self.defer)

    def get_wrapper_toolset(self, toolset: AbstractToolset[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        """The agent's tools, in code mode."""
        return CodeModeToolset(self.searchable(toolset), **self.shared())
