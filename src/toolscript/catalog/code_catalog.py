"""The Python names and texts of all tools that code may call, most of which are never requested."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import repeat
from weakref import WeakSet

from pydantic_ai.tools import ToolDefinition

from toolscript.routing.placement import RUN_CODE, SEARCH_IN_CODE
from toolscript_signatures import Catalog, Rendered, ToolFunction, keeps_its_name

from .tool_specs import catalog_in_turns, catalog_of, function_of, read_in_turns


class CodeCatalog:
    """Like a `Catalog` of all the tools, but requests for a few of them by their own names cost only as much as those.

    A tool whose name is valid Python keeps it, whatever the others are called; only the other names depend on the
    whole set, and are assigned when one of them is needed.
    """

    def __init__(self, tool_defs: Mapping[str, ToolDefinition]) -> None:
        self._tool_defs = tool_defs
        self._owned = dict[str, ToolFunction | None]()

    def get(self, python_name: str) -> ToolFunction | None:
        own = self._own(python_name)
        return own if own is not None or not self._has_other_names else self._all.get(python_name)

    def of(self, tool_name: str) -> ToolFunction:
        """Return the function of a tool. Raises `KeyError` if there is no such tool."""
        return self._own(tool_name) or self._all.of(tool_name)

    def render(self, tool_names: Iterable[str], *, budget: int | None = None) -> Rendered:
        """Return the text of the named tools, types first; of as many as fit into `budget` tokens, pinned ones first.

        It says how many of all tools these are, because a search may find the others.
        """
        names = list(tool_names)
        return self._with(names).render(names, budget=budget, total=len(self._tool_defs))

    async def read_in_turns(self, tool_names: Iterable[str]) -> None:
        """Read what `render` needs of the named tools, yielding to the event loop meanwhile."""
        named = [self._tool_defs[name] for name in tool_names]
        catalog = await catalog_in_turns(named)
        if self._has_other_names:
            self._all = await catalog_in_turns(self._sorted)
        if catalog not in _read:
            # The same tools get the same catalog again.
            await read_in_turns(named)
            _read.add(catalog)

    def additions(self, tool_names: Iterable[str], *, known: Iterable[str]) -> str:
        """Return the text of functions that follow the `known` ones, in order, without the types of those."""
        new = list(tool_names)
        before = [name for name in dict.fromkeys(known) if name in self._tool_defs and name not in new]
        return self._with([*before, *new]).render(new, known=before, total=len(new)).text

    def names(self) -> Iterator[str]:
        if self._has_other_names:
            yield from (function.name for function in self._all)
        else:
            yield from self._tool_defs

    def _with(self, names: Iterable[str]) -> Catalog:
        """Return a catalog of these tools; of all tools if the names of some depend on the others."""
        own = catalog_of([self._tool_defs[name] for name in names])
        return own if own.keeps_names else self._all

    def _own(self, name: str) -> ToolFunction | None:
        """Return the function of the tool with this name, if it keeps the name in Python."""
        if name not in self._owned:
            keeps = name in self._tool_defs and keeps_its_name(name, _TAKEN)
            self._owned[name] = function_of(self._tool_defs[name]) if keeps else None
        return self._owned[name]

    @cached_property
    def _has_other_names(self) -> bool:
        return not all(map(keeps_its_name, self._tool_defs, repeat(_TAKEN)))

    @cached_property
    def _all(self) -> Catalog:
        return catalog_of(self._sorted)

    @property
    def _sorted(self) -> list[ToolDefinition]:
        # In an order that discoveries do not change, so that no name changes either.
        return [self._tool_defs[name] for name in sorted(self._tool_defs)]


_read: WeakSet[Catalog] = WeakSet()
"""Catalogs whose tools were read in turns."""
_TAKEN = frozenset({RUN_CODE, SEARCH_IN_CODE})
