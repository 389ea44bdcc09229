"""Code mode for all of an agent's tools."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal

from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering, ToolSearch
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset

from toolscript_sandbox import Limits, Sandbox

from .catalog.observations import Observations
from .checks import instance_of, one_of
from .code_mode_spec import (
    FilesSpec,
    FunctionsSpec,
    LimitsSpec,
    RuleSpec,
    SearchSpec,
    SessionsSpec,
    files_from,
    functions_from,
    limits_from,
    rules_from,
    search_options,
    sessions_from,
)
from .code_mode_toolset import CodeModeToolset
from .code_settings import check_code_settings
from .discovery.search_options import ToolSearchOptions
from .discovery.searchable_toolset import SearchableToolset
from .durability.snapshots import Snapshots
from .results.tool_errors import ToolErrors
from .routing.callers import AllowedCallers
from .routing.rules import ToolRule
from .sessions.files import Files
from .sessions.saved_functions import Functions
from .sessions.sessions import Sessions


@dataclass
class CodeMode(AbstractCapability[AgentDepsT]):
    """Puts all of an agent's tools behind `run_code`, and its deferred ones behind our search.

    The same as `CodeModeToolset(SearchableToolset(everything))`, for tools registered with `@agent.tool` too.
    """

    _: KW_ONLY
    default_callers: AllowedCallers = 'code'
    """Who may call the tools that say nothing themselves."""
    search: ToolSearchOptions = field(default_factory=ToolSearchOptions)
    """How deferred tools are found."""
    defer: Literal['marked', 'auto'] = 'marked'
    """Which tools are deferred: see `SearchableToolset.defer`."""
    catalog: Literal['description', 'append'] = 'description'
    """Where the signatures of found tools stand: see `CodeModeToolset.catalog`."""
    catalog_tokens: int | None = None
    """How many tokens of signatures `run_code`'s description may hold: see `CodeModeToolset.catalog_tokens`."""
    limits: Limits = field(default_factory=Limits)
    """What one snippet may use."""
    max_result_chars: int = 20_000
    """How much of a snippet's result goes to the model, in characters of JSON."""
    max_retries: int = 3
    """How many failing snippets in a row the model may send before the run fails."""
    snapshots: Snapshots = field(default_factory=Snapshots)
    """How the state of a paused script is signed and kept until it goes on."""
    sessions: Sessions | None = None
    """Whether variables live on in the next run of a conversation, and where they are kept."""
    functions: Functions | None = None
    """Which functions stay: those that scripts keep, and those of a folder."""
    files: Files | None = None
    """Which folders of the host scripts have, if any."""
    reuse_results: bool = True
    """Whether the calls that a failed snippet finished give their results to the same calls of the next one."""
    tool_errors: ToolErrors = 'type'
    """What is told of exceptions that tools did not expect: see `CodeModeToolset.tool_errors`."""
    hint_after: int | None = None
    """Whether to tell the model of snippets that make one call each: see `CodeModeToolset.hint_after`."""
    observe: bool = True
    """Whether scripts' answers tell what results looked like: see `CodeModeToolset.observe`."""
    observations: Observations | None = None
    """What results looked like in other runs: see `CodeModeToolset.observations`."""
    rules: Sequence[ToolRule] = ()
    """What holds for tools that say nothing of it, or something else: see `CodeModeToolset.rules`."""
    sandbox: Sandbox | None = None
    """Where code runs; by default the pool that all runs of this process share."""

    def __post_init__(self) -> None:
        check_code_settings(self)
        instance_of('search', self.search, ToolSearchOptions)
        one_of('defer', self.defer, ('marked', 'auto'))

    @classmethod
    def from_spec(
        cls,
        *,
        default_callers: AllowedCallers = 'code',
        search: SearchSpec | None = None,
        defer: Literal['marked', 'auto'] = 'marked',
        catalog: Literal['description', 'append'] = 'description',
        catalog_tokens: int | None = None,
        limits: LimitsSpec | None = None,
        max_result_chars: int = 20_000,
        max_retries: int = 3,
        sessions: bool | SessionsSpec = False,
        functions: FunctionsSpec | None = None,
        files: FilesSpec | None = None,
        reuse_results: bool = True,
        tool_errors: ToolErrors = 'type',
        hint_after: int | None = None,
        observe: bool = True,
        rules: Sequence[RuleSpec] = (),
    ) -> 'CodeMode[Any]':
        """From the plain data of an agent's spec: `{'CodeMode': {'limits': {'calls': 50}}}`.

        Raises:
            UserError: A setting has a value that may not stand there, or is none.
        """
        return CodeMode[Any](
            default_callers=default_callers,
            search=search_options({} if search is None else search),
            defer=defer,
            catalog=catalog,
            catalog_tokens=catalog_tokens,
            limits=limits_from({} if limits is None else limits),
            max_result_chars=max_result_chars,
            max_retries=max_retries,
            sessions=sessions_from(sessions),
            functions=None if functions is None else functions_from(functions),
            files=None if files is None else files_from(files),
            reuse_results=reuse_results,
            tool_errors=tool_errors,
            hint_after=hint_after,
            observe=observe,
            rules=rules_from(rules),
        )

    def get_ordering(self) -> CapabilityOrdering:
        """Around all other toolsets, and inside upstream's tool search, which then finds nothing left to hide."""
        return CapabilityOrdering(position='outermost', wrapped_by=[ToolSearch])

    def searchable(self, toolset: AbstractToolset[AgentDepsT]) -> SearchableToolset[AgentDepsT]:
        """The agent's tools behind our search."""
        return SearchableToolset(toolset, self.search, defer=self.defer)

    def get_wrapper_toolset(self, toolset: AbstractToolset[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        """The agent's tools, in code mode."""
        return CodeModeToolset(
            self.searchable(toolset),
            default_callers=self.default_callers,
            catalog=self.catalog,
            catalog_tokens=self.catalog_tokens,
            limits=self.limits,
            max_result_chars=self.max_result_chars,
            max_retries=self.max_retries,
            snapshots=self.snapshots,
            sessions=self.sessions,
            functions=self.functions,
            files=self.files,
            reuse_results=self.reuse_results,
            tool_errors=self.tool_errors,
            hint_after=self.hint_after,
            observe=self.observe,
            observations=self.observations,
            rules=self.rules,
            sandbox=self.sandbox,
        )
