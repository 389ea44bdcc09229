"""Code mode for all of an agent's tools."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering, ToolSearch
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset

from .code_mode_steps import CodeModeSteps, load_what_runs_need, pass_imports_through
from .code_mode_toolset import CodeModeToolset
from .settings import SearchableCodeModeSettings

if TYPE_CHECKING:
    from .discovery.searchable_toolset import SearchableToolset

    described_when_used = classmethod
else:

    class described_when_used(classmethod):
        """A class method whose signature is derived when it is first read, because deriving it takes long."""

        def __get__(self, instance: object, owner: type | None = None) -> Callable[..., Any]:
            from .from_data import describe

            if not hasattr(self.__func__, '__signature__'):
                describe(self.__func__, SearchableCodeModeSettings)
            return super().__get__(instance, owner)


@dataclass(kw_only=True)
class CodeMode(SearchableCodeModeSettings, CodeModeSteps[AgentDepsT]):
    """Puts all tools of an agent behind `run_code`, and the deferred ones behind a search.

    The same as `CodeModeToolset(SearchableToolset(everything))`, for tools registered with `@agent.tool` too.
    """

    def __post_init__(self) -> None:
        pass_imports_through()
        self.check()

    @described_when_used
    def from_spec(cls, **settings: Any) -> 'CodeMode[Any]':
        """Create it from the plain data of an agent's spec: `{'CodeMode': {'limits': {'max_calls': 50}}}`.

        Raises:
            UserError: A setting does not exist or has an invalid value.
        """
        from .from_data import values

        return CodeMode[Any](**values(SearchableCodeModeSettings, settings))

    def get_ordering(self) -> CapabilityOrdering:
        """Return a place around all other toolsets, inside pydantic-ai's tool search, which finds nothing to hide."""
        return CapabilityOrdering(position='outermost', wrapped_by=[ToolSearch])

    async def for_run(self, ctx: RunContext[AgentDepsT]) -> AbstractCapability[AgentDepsT]:
        """Return this capability, once everything that runs need is loaded."""
        await load_what_runs_need(ctx, self)
        return self

    def searchable(self, toolset: AbstractToolset[AgentDepsT]) -> 'SearchableToolset[AgentDepsT]':
        """Return the agent's tools behind toolscript's search."""
        from .discovery.searchable_toolset import SearchableToolset

        return SearchableToolset(toolset, self.search, defer=self.defer)

    def get_wrapper_toolset(self, toolset: AbstractToolset[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        """Return the agent's tools, in code mode."""
        return CodeModeToolset(self.searchable(toolset), **self.shared())
