"""The Python names and texts of tool definitions."""

import asyncio
import marshal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from typing import Generic, TypeAlias, TypeVar

from pydantic_ai.tools import ToolDefinition

from toolscript.guards import is_object
from toolscript.routing.effects import destructive_of, read_only_of
from toolscript.routing.placement import RUN_CODE, SEARCH_IN_CODE
from toolscript_signatures import Catalog, ToolFunction, ToolSpec, content_of

from .function_metadata import DOCS_KEY, FILES_KEY, VARIADIC_KEY, by_path, description_of, takes_files, variadic_of
from .schemas import MCP_METADATA, all_readable, copied_schema, delivered_schema, readable, size_of, sizes_of

T = TypeVar('T')
MadeT = TypeVar('MadeT')
_IN_A_TURN = 1_000


class ContentCache(Generic[T, MadeT]):
    """One object for each list of tools, cached for the lists that were requested last."""

    def __init__(self, of_tool: Callable[[ToolDefinition], T], of_all: Callable[[tuple[T, ...]], MadeT]) -> None:
        """The objects made of each tool and then of all are cached, so they must depend on their content alone."""
        self._of_tool, self._of_all = of_tool, of_all
        self._kept = dict[bytes, MadeT]()

    def of(self, tool_defs: Sequence[ToolDefinition]) -> MadeT:
        """Return the object for these tools in this order: the same one for the same content. Raises as `size_of`."""
        return next(made for made in self._steps(tool_defs) if made is not None)

    async def in_turns(self, tool_defs: Sequence[ToolDefinition]) -> MadeT:
        """Like `of`, but yields to the event loop after every few hundred tools, or fewer large ones."""
        made = None
        for made in self._steps(tool_defs):
            if made is None:
                await asyncio.sleep(0)
        assert made is not None
        return made

    def _steps(self, tool_defs: Sequence[ToolDefinition]) -> Iterator[MadeT | None]:
        """Yield `None` after each stretch of work, then the object."""
        pieces, digest = list[Sequence[ToolDefinition]](), blake2b()
        is_data = True
        for piece in _pieces(tool_defs):
            pieces.append(piece)
            try:
                digest.update(marshal.dumps(_shown(piece), _WITHOUT_REFERENCES))
            except ValueError:
                is_data = False
            if len(piece) < len(tool_defs):
                yield None
        made = self._kept.pop(digest.digest(), None) if is_data else None
        if made is None:
            parts = list[T]()
            for piece in pieces:
                parts += map(self._of_tool, piece)
                if len(pieces) > 1:
                    yield None
            made = self._of_all(tuple(parts))
        while len(self._kept) >= _MAX_CATALOGS:
            del self._kept[next(iter(self._kept))]
        if is_data:
            self._kept[digest.digest()] = made
        yield made


def _pieces(tool_defs: Sequence[ToolDefinition]) -> Iterator[Sequence[ToolDefinition]]:
    """Yield the tools, as many at a time as take about ten milliseconds."""
    for start in range(0, len(tool_defs), _TOOLS_IN_A_TURN):
        piece = tool_defs[start : start + _TOOLS_IN_A_TURN]
        characters = sum(map(len, [one.description or '' for one in piece]))
        if sizes_of(piece) + characters < _CHARS_IN_A_TURN:
            yield piece
        else:
            yield from _pieces_by_size(piece)


def _pieces_by_size(tool_defs: Sequence[ToolDefinition]) -> Iterator[Sequence[ToolDefinition]]:
    begin = size = 0
    for end, tool_def in enumerate(tool_defs, start=1):
        size += size_of(tool_def) + min(len(tool_def.description or ''), _MAX_CHARS)
        if size >= _CHARS_IN_A_TURN:
            yield tool_defs[begin:end]
            begin, size = end, 0
    if begin < len(tool_defs):
        yield tool_defs[begin:]


def _shown(tool_defs: Sequence[ToolDefinition]) -> list[tuple[object, ...]]:
    """Return the tools' content and never their identity, because `prepare` functions change schemas in place."""
    if not all_readable(tool_defs):
        tool_defs = [
            replace(
                one,
                parameters_json_schema=readable(one.parameters_json_schema) or {},
                return_schema=readable(one.return_schema),
            )
            for one in tool_defs
        ]
    return [
        (
            one.name,
            one.description and one.description[:_MAX_CHARS],
            one.sequential,
            one.toolset_id,
            one.metadata and _shown_metadata(one, one.metadata),
            one.parameters_json_schema,
            one.return_schema,
        )
        for one in tool_defs
    ]


def _shown_metadata(tool_def: ToolDefinition, metadata: Mapping[str, object]) -> tuple[object, ...]:
    """Return the metadata that appears in a signature or is searched. What a server adds to its hints may be large."""
    own = {key: metadata[key] for key in _METADATA & metadata.keys()}
    return own, _marks(tool_def, metadata), metadata.keys() >= MCP_METADATA


def _read(description: str | None) -> str | None:
    return description[:_MAX_CHARS] if isinstance(description, str) else description


_MAX_CHARS = 20_000
"""The most characters of a description that are read. Signatures and searches show fewer."""
_METADATA = frozenset({'tags', DOCS_KEY, FILES_KEY, VARIADIC_KEY})
_TOOLS_IN_A_TURN = 250
_CHARS_IN_A_TURN = 250_000
_WITHOUT_REFERENCES = 2
"""The last version of marshal's format in which equal values are equal bytes."""


_specs: dict[tuple[bytes, str | None, bool], ToolSpec] = {}
_MAX_SPECS = 200_000
_MAX_CATALOGS = 16
_MAX_FUNCTIONS = 1_000


def catalog_of(tool_defs: Iterable[ToolDefinition]) -> Catalog:
    """Return the tools as Python functions; the names of code mode's own functions stay free.

    The same tools in the same order get the same catalog again, so that a step pays only for what has changed. It
    contains nothing that a run saw, because catalogs are cached across runs and the models of other users read them.
    """
    return _catalogs.of(list(tool_defs))


async def read_in_turns(tool_defs: Sequence[ToolDefinition]) -> None:
    """Read what a text of these new tools needs, yielding to the event loop meanwhile."""
    size = 0
    for tool_def in tool_defs:
        function_of(tool_def).rendering.text('full')
        size += _CHARS_IN_A_TURN // _TOOLS_IN_A_TURN + size_of(tool_def)
        if size > _CHARS_IN_A_TURN // 10:
            size = 0
            await asyncio.sleep(0)


async def catalog_in_turns(tool_defs: Iterable[ToolDefinition]) -> Catalog:
    return await _catalogs.in_turns(list(tool_defs))


def function_of(tool_def: ToolDefinition) -> ToolFunction:
    """Return a tool as a Python function, if it keeps its name whatever the others are called."""
    return _function(spec_of(tool_def))


@lru_cache(maxsize=_MAX_CATALOGS)
def _catalog(specs: tuple[ToolSpec, ...]) -> Catalog:
    return Catalog(specs, reserved={RUN_CODE, SEARCH_IN_CODE})


@lru_cache(maxsize=_MAX_FUNCTIONS)
def _function(spec: ToolSpec) -> ToolFunction:
    return _catalog.__wrapped__((spec,)).of(spec.name)


async def yield_if_many(tools: Sized) -> None:
    """Yield to the event loop, if one stage of a step takes long for this many tools."""
    if len(tools) > _IN_A_TURN:
        await asyncio.sleep(0)


def spec_of(tool_def: ToolDefinition) -> ToolSpec:
    """Return what is known about a tool, in terms of the signatures package: the same object for the same content."""
    size_of(tool_def)
    return _spec(tool_def)


def _spec(tool_def: ToolDefinition) -> ToolSpec:
    # Searches call this for each of their tools, so known specs are not built again.
    metadata, name, sequential = tool_def.metadata, tool_def.name, tool_def.sequential
    server, read_only, destructive, pinned = _marks(tool_def, metadata) if metadata else _UNMARKED
    server = server or tool_def.toolset_id
    description, variadic = _read(description_of(tool_def)), variadic_of(tool_def)
    parameters, returns = readable(tool_def.parameters_json_schema), delivered_schema(tool_def)
    if not is_object(parameters):
        parameters = {'type': 'object', 'additionalProperties': True}
    if takes_files(tool_def):
        parameters, returns = by_path(parameters), returns and by_path(returns)
    facts = (name, description, sequential, read_only, destructive, variadic)
    key = (content_of(facts, parameters, returns), server, pinned)
    known = _specs.get(key)
    if known is None:
        if len(_specs) >= _MAX_SPECS:
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


_catalogs = ContentCache(_spec, _catalog)
_Marks: TypeAlias = tuple[str | None, bool | None, bool | None, bool]
_UNMARKED: _Marks = (None, None, None, False)


def _marks(tool_def: ToolDefinition, metadata: Mapping[str, object]) -> _Marks:
    """Return the metadata that appears in a signature: server, read-only, destructive, pinned."""
    server = metadata.get('server')
    return (
        server if isinstance(server, str) else None,
        read_only_of(tool_def),
        destructive_of(tool_def),
        bool(metadata.get('pinned')),
    )
