"""The functions that the scripts of one step may call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic

from pydantic import ValidationError
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_ai.toolsets.function import FunctionToolsetTool

from toolscript.catalog.code_catalog import CodeCatalog
from toolscript.catalog.function_metadata import is_saved_function, takes_files
from toolscript.discovery.search_tool import FOREIGN_SEARCH_TOOLS, SearchTool
from toolscript.results.tool_errors import said
from toolscript.routing.inverses import inverse_of
from toolscript.routing.placement import RUN_CODE, SEARCH_IN_CODE
from toolscript_sandbox import Function
from toolscript_signatures import ToolFunction

_SEARCH_STUB = """\
from typing import NotRequired, TypedDict
class FoundTool(TypedDict):
    name: str
    description: str | None
    signature: NotRequired[str]
async def search_tools(query: str, max_results: int = 5) -> list[FoundTool]: ...
"""
SEARCH_SIGNATURE = _SEARCH_STUB.splitlines()[-1]


@dataclass(frozen=True)
class CodeTool(Generic[AgentDepsT]):
    """A tool that code may call, and the toolset that calls it."""

    tool: ToolsetTool[AgentDepsT]
    owner: AbstractToolset[AgentDepsT]


@dataclass(frozen=True)
class CodeFunctions(Generic[AgentDepsT]):
    """What a script may call, by Python name: the step's tools, those that a search can find, and the search."""

    catalog: CodeCatalog
    """All of `tools`, as Python."""
    tools: Mapping[str, CodeTool[AgentDepsT]]
    """By tool name; including deferred ones, because a script that names one exactly has found it."""
    direct_only: frozenset[str]
    """Names of the tools that only an ordinary tool call reaches."""
    code_only: frozenset[str]
    """Names of the tools that no ordinary tool call reaches."""
    search: SearchTool[AgentDepsT] | None
    crowded_out: frozenset[str] = frozenset()
    """Names of the tools on offer that did not fit into the catalog; searches show their signatures."""
    shown: Mapping[str, str] = field(default_factory=dict[str, str])
    """The model's names of the tools that toolsets around code mode renamed, by the names that code mode uses."""

    answers: tuple[str, ...] = ()
    """Names of the tools that give the output of the run."""
    _known: dict[str, Function] = field(default_factory=dict[str, Function], init=False, repr=False, compare=False)
    """The functions that were looked up: a script looks one up at each of its calls."""

    @cached_property
    def declare_undo(self) -> bool:
        return any(inverse_of(one.tool.tool_def) is not None for one in self.tools.values())

    def shown_name(self, name: str) -> str:
        return self.shown.get(name, name)

    def get(self, name: str, /) -> Function | None:
        if name == SEARCH_IN_CODE and self.search is not None:
            return Function(name=SEARCH_IN_CODE, stub=_SEARCH_STUB, signature=SEARCH_SIGNATURE)
        known = self._known.get(name)
        if known is not None:
            return known
        function = self.catalog.get(name)
        if function is None or is_saved_function(self.tools[function.spec.name].tool.tool_def):
            return None
        self._known[name] = self._as_sandbox_function(function)
        return self._known[name]

    def _as_sandbox_function(self, function: ToolFunction) -> Function:
        return Function(
            name=function.name,
            stub=function.stub,
            sequential=function.spec.sequential,
            signature=function.signature,
            validate=validator(function, self.tools[function.spec.name].tool),
        )

    def hint(self, name: str, /) -> str | None:
        """Return advice for the model about a name that is not a function here."""
        if name in (RUN_CODE, self.shown_name(RUN_CODE)):
            return f'{name} cannot call itself; write the code in this script.'
        if self.search is not None and (name in self._search_names or name in FOREIGN_SEARCH_TOOLS):
            return f"To search from code: await {SEARCH_IN_CODE}('what it does')."
        if name in self.direct_only:
            return (
                f'{name} cannot be called from code; call the tool {self.shown_name(name)} directly, outside of code.'
            )
        direct = {self.shown_name(direct) for direct in self.direct_only}
        from toolscript.search import closest_names

        close = closest_names(name, [*self.catalog.names(), *direct])
        known = [function.signature if (function := self.catalog.get(one)) else one for one in close]
        advice = [*(['Did you mean:', *known] if close else []), *filter(None, [self._search_hint()])]
        return '\n'.join(advice) or None

    @property
    def _search_names(self) -> set[str]:
        own = None if self.search is None else self.search.tool_def.name
        return set() if own is None else {own, self.shown_name(own)}

    def _search_hint(self) -> str | None:
        if self.search is None:
            return None
        in_code = f'await {SEARCH_IN_CODE}("what it does")'
        if not self._search_names & self.direct_only:
            return f'Find functions in code: {in_code}.'
        return f'Find functions with {self.shown_name(self.search.tool_def.name)}, or in code: {in_code}.'


def validator(function: ToolFunction, tool: ToolsetTool[AgentDepsT]) -> Callable[[str, Any], str | None] | None:
    """Return a check of a parameter's values, like `Function.validate`; `None` if only the call can check them."""
    if takes_files(tool.tool_def):
        # A path that a script gives becomes a file only when the call is made.
        return None
    if not isinstance(tool, FunctionToolsetTool):
        return function.validate

    def validate(word: str, value: Any) -> str | None:
        key = next((one.key for one in function.parameters if one.name == word), word)
        found = _validation_message(tool, {key: value}, key)
        if found == '' and _validation_message(tool, {key: object()}, key) == '':
            # A validator that accepts any object has checked nothing.
            return function.validate(word, value)
        # The signature's message comes first, because it is in the terms of Python.
        return found and (function.validate(word, value) or found)

    return validate


def _validation_message(tool: ToolsetTool[AgentDepsT], arguments: Mapping[str, Any], key: str) -> str | None:
    try:
        tool.args_validator.validate_python(dict(arguments))
    except ValidationError as error:
        problems = error.errors(include_url=False)
        problem = next((found for found in problems if found['loc'][:1] == (key,)), None)
        if problem is not None:
            return _words(problem['loc'][1:], said(problem), problem['input'])
        # An error about the arguments as a whole may be about those that were left out here.
        return None if any(found['loc'] == () for found in problems) else ''
    except Exception:  # a validator of the tool's own, which may need what only a call has
        return None
    return ''


def _words(place: tuple[int | str, ...], message: str, given: object) -> str:
    shown = repr(given)
    found = f'{message}, found `{shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "..."}`'
    return f'at {".".join(map(str, place))}: {found}' if place else found


_SHOWN = 60
