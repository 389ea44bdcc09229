"""The Python names and texts of tool definitions."""

import asyncio
import marshal
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Generic, TypeAlias, TypeVar

from pydantic_ai.tools import ToolDefinition

from toolscript.guards import is_object
from toolscript.routing.effects import destructive_of, read_only_of
from toolscript.routing.placement import RUN_CODE, SEARCH_IN_CODE
from toolscript_signatures import Catalog, ToolFunction, ToolSpec, content_of

from .file_types import FILES_KEY, by_path, takes_files
from .function_metadata import DOCS_KEY, VARIADIC_KEY, description_of, variadic_of
from .schemas import MCP_METADATA, check_schemas, copied_schema, delivered_schema

T = TypeVar('T')
_IN_A_TURN = 1_000
_READ_IN_A_TURN = 250


class ByContent(Generic[T]):
    """One thing for each list of tools, those of the lists that were asked for last."""

    def __init__(self, make: Callable[[Sequence[ToolDefinition]], T]) -> None:
        """`make` builds what is cached, from the content of the tools alone: the cache outlives runs."""
        self._make = make
        self._kept = dict[bytes, T]()

    def has(self, tool_defs: Sequence[ToolDefinition]) -> bool:
        """Whether `of` would make nothing new."""
        return _digest(tool_defs) in self._kept

    def of(self, tool_defs: Sequence[ToolDefinition]) -> T:
        """What is made of these tools in this order: the same object for the same content.

        Raises:
            UserError: A schema of one cannot be written.
        """
        check_schemas(tool_defs)
        digest = _digest(tool_defs)
        if digest is None:
            return self._make(tool_defs)
        made = self._kept.pop(digest, None)
        if made is None:
            made = self._make(tool_defs)
        while len(self._kept) >= _MOST:
            del self._kept[next(iter(self._kept))]
        self._kept[digest] = made
        return made


def _digest(tool_defs: Sequence[ToolDefinition]) -> bytes | None:
    """What all that shows of tools comes to, in one go over all of them; `None` where something in it is no data.

    Of content and never of identity: `prepare` functions change schemas in place.
    """
    digest = blake2b()
    try:
        for start in range(0, len(tool_defs), _AT_ONCE):
            digest.update(marshal.dumps(_shown(tool_defs[start : start + _AT_ONCE]), _WITHOUT_REFERENCES))
    except ValueError:
        return None
    return digest.digest()


def _shown(tool_defs: Sequence[ToolDefinition]) -> list[tuple[object, ...]]:
    return [
        (
            one.name,
            one.description,
            one.sequential,
            one.toolset_id,
            one.metadata and {key: one.metadata[key] for key in _METADATA & one.metadata.keys()},
            one.parameters_json_schema,
            one.return_schema,
        )
        for one in tool_defs
    ]


_MOST = 16
_METADATA = frozenset({'server', 'annotations', 'pinned', 'tags', DOCS_KEY, FILES_KEY, VARIADIC_KEY, *MCP_METADATA})
"""What of metadata shows in a signature, or is searched."""
_AT_ONCE = 1_000
"""Tools whose definitions are written out together; all of 100,000 would take hundreds of megabytes."""
_WITHOUT_REFERENCES = 2
"""The last version of marshal's format in which equal values are equal bytes."""


_specs: dict[tuple[bytes, str | None, bool], ToolSpec] = {}
_MOST_SPECS = 200_000
_MOST_CATALOGS = 16
_MOST_FUNCTIONS = 1_000


def catalog_of(tool_defs: Iterable[ToolDefinition]) -> Catalog:
    """The tools as Python functions; the names of code mode's own functions stay free.

    The same tools in the same order give the same catalog again, so that a step pays only for what has changed. Nothing
    that a run saw is in it: catalogs are cached over runs, and the models of other users read them.

    Raises:
        UserError: A schema of one cannot be written.
    """
    return _catalogs.of(list(tool_defs))


async def read_in_turns(tool_defs: Sequence[ToolDefinition]) -> None:
    """Read what a text of so many new tools needs; the event loop has turns meanwhile.

    Raises:
        UserError: A schema of one cannot be written.
    """
    if len(tool_defs) > _IN_A_TURN and not _catalogs.has(tool_defs):
        for place, tool_def in enumerate(tool_defs):
            function_of(tool_def).work.text('full')
            if place % _READ_IN_A_TURN == 0:
                await asyncio.sleep(0)


def function_of(tool_def: ToolDefinition) -> ToolFunction:
    """A tool as a Python function, where its name is one that it keeps whatever the others are called.

    Raises:
        UserError: A schema of it cannot be written.
    """
    return _function(spec_of(tool_def))


@lru_cache(maxsize=_MOST_CATALOGS)
def _catalog(specs: tuple[ToolSpec, ...]) -> Catalog:
    return Catalog(specs, reserved={RUN_CODE, SEARCH_IN_CODE})


@lru_cache(maxsize=_MOST_FUNCTIONS)
def _function(spec: ToolSpec) -> ToolFunction:
    return _catalog.__wrapped__((spec,)).of(spec.name)


_catalogs = ByContent(lambda tool_defs: _catalog(tuple(map(_spec, tool_defs))))


async def turn_for_others(tools: Sized) -> None:
    """The event loop has a turn, where one stage of a step takes long for so many tools."""
    if len(tools) > _IN_A_TURN:
        await asyncio.sleep(0)


def spec_of(tool_def: ToolDefinition) -> ToolSpec:
    """What is known of a tool, in the terms of the signatures package: the same object for the same content.

    Raises:
        UserError: A schema of it cannot be written.
    """
    check_schemas([tool_def])
    return _spec(tool_def)


def _spec(tool_def: ToolDefinition) -> ToolSpec:
    # Searches ask for each of their tools, so nothing is built here of what is known.
    metadata, name, sequential = tool_def.metadata, tool_def.name, tool_def.sequential
    server, read_only, destructive, pinned = _marks(tool_def, metadata) if metadata else _UNMARKED
    server = server or tool_def.toolset_id
    description, variadic = description_of(tool_def), variadic_of(tool_def)
    parameters, returns = _taken(tool_def.parameters_json_schema), delivered_schema(tool_def)
    if takes_files(tool_def):
        parameters, returns = by_path(parameters), returns and by_path(returns)
    facts = (name, description, sequential, read_only, destructive, variadic)
    key = (content_of(facts, parameters, returns), server, pinned)
    known = _specs.get(key)
    if known is None:
        if len(_specs) >= _MOST_SPECS:
            _specs.clear()
        known = _specs[key] = ToolSpec(
            name=name,
            description=description,
            parameters=copied_schema(parameters),
            returns=copied_schema(returns) if returns else None,
            sequential=sequential,
            server=server,
            read_only=read_only,
            destructive=destructive,
            pinned=pinned,
            variadic=variadic,
        )
    return known


def _taken(schema: object) -> Mapping[str, Any]:
    """What a tool takes: anything where its schema is none."""
    return schema if is_object(schema) else {'type': 'object', 'additionalProperties': True}


_Marks: TypeAlias = tuple[str | None, bool | None, bool | None, bool]
_UNMARKED: _Marks = (None, None, None, False)


def _marks(tool_def: ToolDefinition, metadata: Mapping[str, object]) -> _Marks:
    """What metadata says that shows in a signature: server, read-only, destructive, pinned."""
    server = metadata.get('server')
    return (
        server if isinstance(server, str) else None,
        read_only_of(tool_def),
        destructive_of(tool_def),
        bool(metadata.get('pinned')),
    )
