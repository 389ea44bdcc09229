"""The wrapped toolset's tools, with the functions that a run finds beside them, and the tool that keeps new ones."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NotRequired

from pydantic import TypeAdapter
from pydantic_ai import ModelRetry, RunContext, UserError
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool, WrapperToolset
from pydantic_core import SchemaValidator
from typing_extensions import TypedDict

from toolscript.routing.callers import allowed_callers
from toolscript_sandbox import function_in

from .function_shelf import MANY, FunctionShelf, NotSaved
from .functions import SavedFunctions
from .kept_function import SavedFunction, may_be_named
from .reserved import SAVE_FUNCTION, why_reserved
from .shown import shown

SAVE_DESCRIPTION = (
    'Keep a function that you defined and tried, for later: search_tools finds it by its description. It may use '
    'imports, the functions here, other kept functions and constants, nothing else of the script.'
)


class SaveArguments(TypedDict):
    """What is asked of whoever approves, and done."""

    name: str
    description: str
    code: str
    tools: NotRequired[list[str]]
    functions: NotRequired[list[str]]
    replace: NotRequired[bool]


_validator = SchemaValidator(TypeAdapter(SaveArguments).core_schema)
_anything = SchemaValidator(TypeAdapter(dict[str, Any]).core_schema)
_PARAMETERS: Mapping[str, Any] = {
    'type': 'object',
    'properties': {
        'function': {'description': 'The function, or its name'},
        'description': {'type': 'string', 'description': 'What it does, in a sentence'},
        'replace': {'type': 'boolean', 'default': False},
    },
    'required': ['function', 'description'],
    'additionalProperties': False,
}


@dataclass(kw_only=True)
class SaveTool(ToolsetTool[AgentDepsT]):
    """`save_function`. Scripts call it with a function; what it takes is the function's text."""


@dataclass
class KeptFunctionsToolset(WrapperToolset[AgentDepsT]):
    """The wrapped toolset, whose tools come first wherever a function has the name of one."""

    functions: SavedFunctions = field(kw_only=True)
    """Which functions there are."""
    found: dict[str, SavedFunction] | None = field(default=None, kw_only=True, repr=False, compare=False)
    """What the run found when it began, so that its requests begin alike. Set by `for_run`, on a copy."""

    async def for_run(self, ctx: RunContext[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        """The toolset for one run."""
        found = await self.functions.shelf(ctx).all()
        if len(found) > MANY:
            # What is read there once is known to this process.
            await asyncio.to_thread(
                lambda: [shown(one, deferred=self.functions.defer_loading) for one in found.values()]
            )
        return replace(self, wrapped=await self.wrapped.for_run(ctx), found=found)

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """The wrapped tools, `save_function` where this run may keep functions, and the functions.

        Raises:
            UserError: A tool is called `save_function`, or as a function of the folder is.
        """
        tools, shelf = await super().get_tools(ctx), self.functions.shelf(ctx)
        self._refuse_clashes(tools)
        found = await shelf.all() if self.found is None else self.found
        deferred = self.functions.defer_loading
        kept = {
            name: self._tool(shown(function, deferred=deferred), ctx)
            for name, function in found.items()
            if name not in tools and not name.startswith('_')
        }
        saving = {SAVE_FUNCTION: self._save_tool(ctx)} if shelf.may_save else {}
        return {**tools, **saving, **kept}

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        """Keep a function, or call a wrapped tool.

        Raises:
            ApprovalRequired: Somebody has to approve what is to be kept.
            ModelRetry: It was not kept; the message says why.
        """
        if not isinstance(tool, SaveTool):
            return await super().call_tool(name, tool_args, ctx, tool)
        shelf = self.functions.shelf(ctx)
        if self.functions.asks and not ctx.tool_call_approved:
            raise ApprovalRequired(await self._told(shelf, tool_args['name']))
        function = self._function(tool_args, ctx)
        try:
            self._check(function)
            saved = await shelf.save(function, may_replace=tool_args.get('replace', False))
        except NotSaved as error:
            raise ModelRetry(f'Nothing was kept: {error}') from error
        return f'{saved.name} is kept, version {saved.version}.'

    def _function(self, arguments: Mapping[str, Any], ctx: RunContext[AgentDepsT]) -> SavedFunction:
        return SavedFunction(
            name=arguments['name'],
            description=arguments['description'],
            code=arguments['code'],
            tools=tuple(arguments.get('tools', ())),
            functions=tuple(arguments.get('functions', ())),
            conversation_id=ctx.conversation_id,
            tool_call_id=ctx.tool_call_id,
        )

    def _check(self, function: SavedFunction) -> None:
        # Whoever approves may have changed what is to be kept.
        most = self.functions.max_chars
        if not may_be_named(function.name):
            raise NotSaved(f'{function.name!r} is no name for it; use lower-case letters, digits and _, 60 at most.')
        if reason := why_reserved(function.name):
            raise NotSaved(f'{reason}; give the function another name.')
        if len(function.code) > most:
            raise NotSaved(f'{function.name} has {len(function.code):,} characters, and {most:,} are allowed.')
        if not 0 < len(function.description) <= _DESCRIPTION:
            raise NotSaved(f'the description has {len(function.description):,} characters; use 1 to {_DESCRIPTION}.')
        if function_in(function.code, function.name) is None:
            raise NotSaved(f'the code must be imports, if need be, and the one function {function.name}.')

    async def _told(self, shelf: FunctionShelf, name: str) -> dict[str, Any]:
        """What whoever approves is told beside the code and the tools that it calls."""
        before = (await shelf.find([name])).get(name)
        replaced = None if before is None else {'version': before.version, 'code': before.code}
        return {'scope': self.functions.scope, 'replaces': replaced}

    def _refuse_clashes(self, tools: Mapping[str, object]) -> None:
        if SAVE_FUNCTION in tools:
            raise UserError(f'Tool name {SAVE_FUNCTION!r} is taken by SavedFunctions(...); rename your tool.')
        for name in self.functions.registered:
            if name in tools:
                raise UserError(
                    f'{name} is a tool, and a function of {str(self.functions.folder)!r}; rename one of them.'
                )

    def _save_tool(self, ctx: RunContext[AgentDepsT]) -> SaveTool[AgentDepsT]:
        tool_def = ToolDefinition(
            name=SAVE_FUNCTION,
            description=SAVE_DESCRIPTION,
            parameters_json_schema=dict(_PARAMETERS),
            return_schema={'type': 'string'},
            metadata={**allowed_callers('code'), 'pinned': True, 'read_only': False, 'defer_loading': False},
        )
        return SaveTool(toolset=self, tool_def=tool_def, max_retries=ctx.max_retries, args_validator=_validator)

    def _tool(self, tool_def: ToolDefinition, ctx: RunContext[AgentDepsT]) -> ToolsetTool[AgentDepsT]:
        # Nobody calls it here: scripts have its text.
        return ToolsetTool(toolset=self, tool_def=tool_def, max_retries=ctx.max_retries, args_validator=_anything)


def with_functions(
    toolset: AbstractToolset[AgentDepsT], functions: SavedFunctions, search: type[WrapperToolset[Any]]
) -> AbstractToolset[AgentDepsT]:
    """The toolset with functions in it, inside of the search where there is one, which then finds them.

    Args:
        toolset: What code mode wraps; one that has functions already stays as it is.
        functions: Which functions there are.
        search: The class of the toolset that searches.
    """
    layers = list(_layers(toolset))
    if any(isinstance(layer, KeptFunctionsToolset) for layer in layers):
        return toolset
    place = next((number for number, layer in enumerate(layers) if isinstance(layer, search)), -1)
    made: AbstractToolset[AgentDepsT] = KeptFunctionsToolset(layers[place + 1], functions=functions)
    for layer in reversed(layers[: place + 1]):
        assert isinstance(layer, WrapperToolset)
        made = replace(layer, wrapped=made)
    return made


def _layers(toolset: AbstractToolset[AgentDepsT]) -> Iterator[AbstractToolset[AgentDepsT]]:
    """The toolset, what it wraps, and so on."""
    yield toolset
    if isinstance(toolset, WrapperToolset):
        yield from _layers(toolset.wrapped)


_DESCRIPTION = 500
