"""The tool through which a model runs code, and the tools of the step in which it is listed."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NotRequired

from pydantic import TypeAdapter
from pydantic_ai import ToolReturn
from pydantic_ai.messages import ModelMessage
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator
from typing_extensions import TypedDict

from toolscript.catalog.code_catalog import CodeCatalog
from toolscript.discovery.discoveries import SIGNATURES_KEY, names_with_signatures
from toolscript.discovery.search_options import ToolSearchOptions
from toolscript.discovery.search_tool import RunsCode, SearchTool, search_tool
from toolscript.guards import fields, strings
from toolscript.routing.placement import RUN_CODE, AllowedCallers, Placement, place

from .functions import CodeFunctions, CodeTool
from .prompt import (
    ANSWER_IN_CODE,
    BOTH_CALLERS,
    NO_FILES,
    NO_FUNCTIONS,
    RESTART_DESCRIPTION,
    RUN_CODE_DESCRIPTION,
    SEARCH_IN_CODE_TEXT,
    UNKNOWN_RESULTS,
)
from .signatures import with_signatures


@dataclass(frozen=True)
class Step(Generic[AgentDepsT]):
    direct: Mapping[str, ToolsetTool[AgentDepsT]]
    """The tools next to `run_code`, including the search tool."""
    functions: CodeFunctions[AgentDepsT]
    """Everything that code may call: shown, and still to be found."""
    always: tuple[str, ...]
    """Names of the code tools that were never hidden."""
    found: tuple[str, ...]
    """Names of the code tools that were hidden and have been found, in the order found."""
    signatures: dict[str, None] = field(default_factory=dict[str, None])
    """Names of the functions whose signatures are in answers of this same step, which no history has yet."""


def arrange(
    tools: Mapping[str, ToolsetTool[AgentDepsT]],
    *,
    owner: AbstractToolset[AgentDepsT],
    default_callers: AllowedCallers,
    search: SearchTool[AgentDepsT] | None,
    found: Collection[str],
) -> Step[AgentDepsT]:
    """Sort the tools that `owner` lists into a step. `found` has the deferred tools that were found, in that order."""
    listed = place(tools, default_callers, searches=frozenset({search.tool_def.name} if search else ()))
    unlisted = place(search.hidden, default_callers) if search else Placement[AgentDepsT]({}, {})
    waiting = {name: tool for name, tool in listed.code.items() if tool.tool_def.defer_loading and name not in found}
    always, revealed = _on_show(listed, unlisted, search, found)
    code_tools = {name: CodeTool(tool, owner) for name, tool in listed.code.items()}
    if search is not None:
        code_tools |= {name: CodeTool(tool, search.toolset) for name, tool in unlisted.code.items()}
    functions = CodeFunctions(
        catalog=CodeCatalog({name: code_tool.tool.tool_def for name, code_tool in code_tools.items()}),
        tools=code_tools,
        direct_only=frozenset(listed.direct) - frozenset(code_tools),
        code_only=frozenset(code_tools) - frozenset(listed.direct) - frozenset(unlisted.direct),
        search=_search_in_code(owner, search, waiting),
    )
    return Step(direct=listed.direct, functions=functions, always=always, found=revealed)


def with_searchable(step: Step[AgentDepsT], names: Collection[str]) -> Step[AgentDepsT]:
    """Return the step in which scripts can also search these tools, which did not fit into the catalog."""
    functions = step.functions
    crowded_out = {name: functions.tools[name].tool for name in names}
    search = functions.search
    if search is None:
        search = search_tool(
            functions.tools[next(iter(names))].owner, ToolSearchOptions(), deferred={}, hidden={}, max_retries=0
        )
    search = replace(search, deferred={**search.deferred, **crowded_out})
    return replace(step, functions=replace(functions, search=search, crowded_out=frozenset(names)))


def _on_show(
    listed: Placement[AgentDepsT],
    unlisted: Placement[AgentDepsT],
    search: SearchTool[AgentDepsT] | None,
    found: Collection[str],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the code tools on show: those that were never deferred, and those that were found."""
    deferred = {name for name, tool in listed.code.items() if tool.tool_def.defer_loading}
    deferred |= set(search.deferred if search is not None else ())
    always = tuple([name for name in listed.code if name not in deferred])
    known = {**listed.code, **unlisted.code}
    return always, tuple([name for name in found if name in known and name in deferred])


def _search_in_code(
    owner: AbstractToolset[AgentDepsT],
    listed: SearchTool[AgentDepsT] | None,
    waiting: Mapping[str, ToolsetTool[AgentDepsT]],
) -> SearchTool[AgentDepsT] | None:
    """Return the search of scripts: over what the listed search tool covers, and the deferred tools that it lacks."""
    if listed is not None:
        return replace(listed, deferred={**listed.deferred, **waiting}) if waiting else listed
    return search_tool(owner, ToolSearchOptions(), deferred=waiting, hidden=waiting, max_retries=0) if waiting else None


class RunCodeArguments(TypedDict):
    code: str
    restart: NotRequired[bool]


_validator = SchemaValidator(TypeAdapter(RunCodeArguments).core_schema)
_PARAMETERS: Mapping[str, Any] = {
    'type': 'object',
    'properties': {
        # `TestModel` and the like make up arguments from the schema: an empty script, which does nothing.
        'code': {'type': 'string', 'minLength': 0},
        'restart': {'type': 'boolean', 'description': RESTART_DESCRIPTION},
    },
    'required': ['code'],
    'additionalProperties': False,
}


@dataclass(kw_only=True)
class RunCodeTool(RunsCode[AgentDepsT]):
    """`run_code` as it is in one step, with the functions that its code may call."""

    owner: AbstractToolset[AgentDepsT]
    """The toolset that it belongs to, whatever toolsets list it as theirs."""
    step: Step[AgentDepsT]
    search_signs: bool
    """Whether search results contain signatures, because no description does."""
    described: tuple[str, ...]
    """Names of the functions in its description."""
    for_step: Callable[[Step[AgentDepsT]], 'RunCodeTool[AgentDepsT]'] = field(repr=False, compare=False)
    """Return `run_code` as its owner offers it in another step."""
    own_description: str
    """The owner's description; others may have changed the one in the definition."""
    is_joined: bool = False
    """Whether its functions include the tools of other toolsets that are for code."""

    @property
    def functions(self) -> CodeFunctions[AgentDepsT]:
        return self.step.functions

    @property
    def found(self) -> tuple[str, ...]:
        return self.step.found

    @property
    def searched(self) -> SearchTool[AgentDepsT] | None:
        return self.functions.search

    @property
    def names(self) -> Collection[str]:
        return self.functions.tools.keys()

    def with_signatures(
        self, result: ToolReturn[Any], search: SearchTool[Any], messages: Sequence[ModelMessage]
    ) -> ToolReturn[Any]:
        shown = self.known_signatures(messages)
        answer = with_signatures(result, search, self.functions, shown, search_signs=self.search_signs)
        self.step.signatures.update(dict.fromkeys(strings(fields(answer.metadata).get(SIGNATURES_KEY))))
        return answer

    def known_signatures(self, messages: Sequence[ModelMessage]) -> list[str]:
        """Return the names of the functions whose signatures the model has read so far, in that order."""
        late = self.found if self.search_signs else ()
        return list(dict.fromkeys([*self.described, *late, *names_with_signatures(messages), *self.step.signatures]))


def run_code_tool(
    toolset: AbstractToolset[AgentDepsT],
    step: Step[AgentDepsT],
    description: str,
    *,
    described: tuple[str, ...],
    search_signs: bool,
    max_retries: int,
    for_step: Callable[[Step[AgentDepsT]], RunCodeTool[AgentDepsT]],
) -> RunCodeTool[AgentDepsT]:
    return RunCodeTool(
        toolset=toolset,
        tool_def=ToolDefinition(
            name=RUN_CODE,
            description=description,
            parameters_json_schema=dict(_PARAMETERS),
            # The standard mark of tools that run code, so that no other code mode wraps this one.
            metadata={'code_arg_name': 'code', 'code_arg_language': 'python'},
        ),
        max_retries=max_retries,
        args_validator=_validator,
        owner=toolset,
        step=step,
        search_signs=search_signs,
        for_step=for_step,
        own_description=description,
        described=described,
    )


def describe(
    functions_text: str, *, both_callers: bool, searchable: bool, answers: Sequence[str], files: str | None = None
) -> str:
    """Return the description of `run_code`: how to write code, then the functions. `files` describes the folders."""
    text = RUN_CODE_DESCRIPTION if files is None else f'{RUN_CODE_DESCRIPTION.replace(NO_FILES, "")}\n{files}'
    calls = ' or '.join(f'`await {name}(...)`' for name in answers)
    unknown = searchable or '-> Any:' in functions_text
    parts = [
        f'{text}\n{UNKNOWN_RESULTS}' if unknown else text,
        BOTH_CALLERS if both_callers else '',
        SEARCH_IN_CODE_TEXT if searchable else '',
        ANSWER_IN_CODE.format(calls=calls) if answers else '',
        functions_text or NO_FUNCTIONS,
    ]
    return '\n\n'.join(filter(None, parts))
