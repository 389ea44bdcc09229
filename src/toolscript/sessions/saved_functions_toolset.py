"""The wrapped toolset's tools, plus the saved functions of a run and the tool that saves new ones."""

import ast
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NotRequired, TypeAlias

from pydantic import TypeAdapter
from pydantic_ai import ModelRetry, RunContext, UserError
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool, WrapperToolset
from pydantic_core import SchemaValidator
from typing_extensions import TypedDict

from toolscript.catalog.function_metadata import SAVED_KEY
from toolscript.guards import is_array, is_object
from toolscript.routing.placement import SAVE_FUNCTION, allowed_callers
from toolscript_sandbox import function_in
from toolscript_sandbox.event_loop.on_threads import run_in_thread

from .saved_function import SavedFunction, may_be_named, why_reserved
from .saved_functions import MANY, FunctionsOfOwner, NotSaved, SavedFunctions

SAVE_DESCRIPTION = (
    'Save a function that you defined and tried, for later: search_tools finds it by its description. It may use '
    'imports, the functions here, other saved functions and constants, nothing else of the script.'
)


class SaveArguments(TypedDict):
    """The arguments that a reviewer approves."""

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


@dataclass
class SavedFunctionsToolset(WrapperToolset[AgentDepsT]):
    """The wrapped toolset with saved functions; its tools take precedence over functions of the same name."""

    functions: SavedFunctions = field(kw_only=True)
    """The settings of saved functions."""
    found: dict[str, SavedFunction] | None = field(default=None, kw_only=True, repr=False, compare=False)
    """The functions at the beginning of the run, so that all its requests begin alike. Set by `for_run`, on a copy."""

    async def for_run(self, ctx: RunContext[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        found = await self.functions.of_run(ctx).all()
        if len(found) > MANY:
            # The results are cached in this process.
            deferred = self.functions.defer_loading
            await run_in_thread(lambda: [shown(one, deferred=deferred) for one in found.values()], long=True)
        return replace(self, wrapped=await self.wrapped.for_run(ctx), found=found)

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """Return the wrapped tools, the saved functions, and `save_function` if this run may save."""
        tools, saved = await super().get_tools(ctx), self.functions.of_run(ctx)
        self._refuse_clashes(tools)
        found = await saved.all() if self.found is None else self.found
        deferred, retries = self.functions.defer_loading, ctx.max_retries
        definitions = [
            shown(function, deferred=deferred)
            for name, function in found.items()
            if name not in tools and not name.startswith('_')
        ]
        # They are never called here, because scripts contain their texts.
        saved_tools = {
            one.name: ToolsetTool(toolset=self, tool_def=one, max_retries=retries, args_validator=_anything)
            for one in definitions
        }
        saving = {SAVE_FUNCTION: self._save_tool(ctx)} if saved.may_save else {}
        return {**tools, **saving, **saved_tools}

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        if name != SAVE_FUNCTION:
            return await super().call_tool(name, tool_args, ctx, tool)
        functions = self.functions.of_run(ctx)
        if self.functions.asks and not ctx.tool_call_approved:
            raise ApprovalRequired(await self._for_review(functions, tool_args['name']))
        function = self._function(tool_args, ctx)
        try:
            self._check(function)
            saved = await functions.save(function, may_replace=tool_args.get('replace', False))
        except NotSaved as error:
            raise ModelRetry(f'Nothing was saved: {error}') from error
        return f'{saved.name} is saved, version {saved.version}.'

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
        # The reviewer may have modified it.
        most = self.functions.max_chars
        if not may_be_named(function.name):
            raise NotSaved(f'{function.name!r} is not a valid name; use lower-case letters, digits and _, 60 at most.')
        if reason := why_reserved(function.name):
            raise NotSaved(f'{reason}; give the function another name.')
        if len(function.code) > most:
            raise NotSaved(f'{function.name} has {len(function.code):,} characters, and {most:,} are allowed.')
        if not 0 < len(function.description) <= _DESCRIPTION:
            raise NotSaved(f'the description has {len(function.description):,} characters; use 1 to {_DESCRIPTION}.')
        if function_in(function.code, function.name) is None:
            raise NotSaved(f'the code must be the function {function.name}, with imports before it if needed.')

    async def _for_review(self, functions: FunctionsOfOwner, name: str) -> dict[str, Any]:
        """Return what reviewers see in addition to the code and the tools that it calls."""
        before = (await functions.find([name])).get(name)
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

    def _save_tool(self, ctx: RunContext[AgentDepsT]) -> ToolsetTool[AgentDepsT]:
        tool_def = ToolDefinition(
            name=SAVE_FUNCTION,
            description=SAVE_DESCRIPTION,
            parameters_json_schema=dict(_PARAMETERS),
            return_schema={'type': 'string'},
            metadata={**allowed_callers('code'), 'pinned': True, 'read_only': False, 'defer_loading': False},
        )
        return ToolsetTool(toolset=self, tool_def=tool_def, max_retries=ctx.max_retries, args_validator=_validator)


def with_functions(
    toolset: AbstractToolset[AgentDepsT], functions: SavedFunctions, search: type[WrapperToolset[Any]]
) -> AbstractToolset[AgentDepsT]:
    """Return the toolset with saved functions, inside the `search`, if any, so that it finds them.

    A toolset that already has saved functions is unchanged.
    """
    layers = list(_layers(toolset))
    if any(isinstance(layer, SavedFunctionsToolset) for layer in layers):
        return toolset
    place = next((number for number, layer in enumerate(layers) if isinstance(layer, search)), -1)
    made: AbstractToolset[AgentDepsT] = SavedFunctionsToolset(layers[place + 1], functions=functions)
    for layer in reversed(layers[: place + 1]):
        assert isinstance(layer, WrapperToolset)
        made = replace(layer, wrapped=made)
    return made


def _layers(toolset: AbstractToolset[AgentDepsT]) -> Iterator[AbstractToolset[AgentDepsT]]:
    yield toolset
    if isinstance(toolset, WrapperToolset):
        yield from _layers(toolset.wrapped)


_DESCRIPTION = 500


_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_Schema: TypeAlias = dict[str, Any]


@lru_cache(maxsize=20_000)
def shown(function: SavedFunction, *, deferred: bool) -> ToolDefinition:
    """Return the function's definition for searches and catalogs.

    Annotations without a JSON type become `Any`; a script that calls the function is checked against its text.
    """
    node = function_in(function.code, function.name)
    assert node is not None
    metadata = {**allowed_callers('code'), SAVED_KEY: function.version}
    if not deferred:
        metadata['defer_loading'] = False
    if node.args.vararg is not None:
        metadata['toolscript_variadic'] = node.args.vararg.arg
    return ToolDefinition(
        name=function.name,
        description=function.description,
        parameters_json_schema=_parameters(node),
        return_schema=None if node.returns is None else _schema(node.returns) or None,
        metadata=metadata,
        sequential=isinstance(node, ast.FunctionDef),
        defer_loading=deferred,
    )


def _parameters(node: _Function) -> _Schema:
    properties, required = dict[str, _Schema](), list[str]()
    for argument, default in _arguments(node.args):
        properties[argument.arg] = _schema(argument.annotation)
        if default is None:
            required.append(argument.arg)
        elif (value := _value(default)) is not _NO_VALUE:
            properties[argument.arg] = {**properties[argument.arg], 'default': value}
    if node.args.vararg is not None:
        properties[node.args.vararg.arg] = {'type': 'array', 'items': _schema(node.args.vararg.annotation)}
    schema: _Schema = {'type': 'object', 'properties': properties, 'required': required}
    return {**schema, 'additionalProperties': node.args.kwarg is not None}


def _arguments(given: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    plain = [*given.posonlyargs, *given.args]
    without = len(plain) - len(given.defaults)
    yield from zip(plain, [*([None] * without), *given.defaults], strict=True)
    yield from zip(given.kwonlyargs, given.kw_defaults, strict=True)


_NO_VALUE = object()


def _value(default: ast.expr) -> object:
    try:
        value: object = ast.literal_eval(default)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return _NO_VALUE
    is_json = isinstance(value, str | int | float | bool | None) or is_array(value) or is_object(value)
    return value if is_json else _NO_VALUE


@lru_cache(maxsize=1_000)
def _schema_of(annotation: str) -> _Schema:
    """Return the JSON schema of an annotation; an empty one accepts anything."""
    try:
        kind = _type(ast.parse(annotation, mode='eval').body)
        return {} if kind is Any else TypeAdapter(kind).json_schema()
    except Exception:
        # Annotations are untrusted text: those that are no Python type, or have no JSON schema, accept anything.
        return {}


def _schema(annotation: ast.expr | None) -> _Schema:
    return {} if annotation is None else dict(_schema_of(ast.unparse(annotation)))


def _type(annotation: ast.expr) -> Any:
    """Return the type that an annotation denotes, without evaluating it. Unsupported annotations become `Any`."""
    match annotation:
        case ast.Constant(value=str(text)):
            return _type(ast.parse(text, mode='eval').body)
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _TYPES.get(name, Any)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _TYPES['Union'][_type(left), _type(right)]
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=part):
            parts = part.elts if isinstance(part, ast.Tuple) else [part]
            if name == 'Annotated':
                return _type(parts[0])
            of = _TYPES.get(name, Any)
            return Any if of is Any else of[tuple(map(_type, parts))]
        case _:
            return Any


_TYPES: Mapping[str, Any] = {
    **{one.__name__: one for one in (str, int, float, bool, list, tuple, set, frozenset, dict)},
    **{name: getattr(typing, name) for name in ('Optional', 'Union', 'Literal', 'List', 'Dict', 'Tuple', 'Set')},
    **{name: getattr(typing, name) for name in ('Sequence', 'Iterable', 'Collection', 'Mapping', 'MutableMapping')},
}
