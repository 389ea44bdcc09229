"""The ways in which an agent can be given the same tools."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.toolsets import AbstractToolset

from evals.packages import PEER
from toolscript import CodeModeToolset, CodeOutput, SearchableToolset, Snapshots, ToolRule, ToolSearchOptions

Tools = AbstractToolset[Any]
_KEY = 'no pause outlives the evals'


@dataclass(frozen=True)
class Setup:
    """The parts of an agent that depend on the route."""

    toolset: Tools
    capabilities: tuple[AbstractCapability[Any], ...] = ()


@dataclass(frozen=True)
class Route:
    name: str
    prepare: Callable[[Tools], Setup]


def _direct(tools: Tools) -> Setup:
    return Setup(tools)


def _direct_search(tools: Tools) -> Setup:
    return Setup(SearchableToolset(tools.defer_loading()))


def _direct_own_search(tools: Tools) -> Setup:
    return Setup(SearchableToolset(tools.defer_loading(), ToolSearchOptions(algorithm='ranked')))


def _code(
    *, both: bool = False, search: bool = False, append: bool = False, answers: bool = False, prefetch: int = 0
) -> Callable[[Tools], Setup]:
    def prepare(tools: Tools) -> Setup:
        options = ToolSearchOptions(prefetch=prefetch)
        found = SearchableToolset(tools.defer_loading(), options) if search else tools
        return Setup(
            CodeModeToolset(
                found,
                default_callers='both' if both else 'code',
                catalog='append' if append else 'description',
                snapshots=Snapshots(key=_KEY),
            ),
            (CodeOutput(),) if answers else (),
        )

    return prepare


ROUTES: tuple[Route, ...] = (
    Route('direct', _direct),
    Route('code', _code()),
    Route('both', _code(both=True)),
    Route('direct + search', _direct_search),
    Route('code + search', _code(search=True)),
    # With the catalog appended to a description that never changes.
    Route('code + search, appended', _code(search=True, append=True)),
    Route('both + search', _code(both=True, search=True)),
)

VARIANTS: tuple[Route, ...] = (
    Route('code, answer from code', _code(answers=True)),
    # Our search even where the provider has one.
    Route('direct + our search', _direct_own_search),
    # What the words of the task find is shown from the start.
    Route('code + search, prefetched', _code(search=True, prefetch=8)),
)
"""The same routes with one change. The routes above search with our own ranking if the provider does not search."""


def _harness(tools: Tools) -> Setup:
    # It pins other releases of pydantic-ai, so it only exists in its own environment.
    code_mode: AbstractCapability[Any] = import_module('pydantic_ai_harness').CodeMode()
    return Setup(tools, (code_mode,))


def _planned(tools: Tools) -> Setup:
    reads = [ToolRule(names, mark_read_only=True) for names in ('list_*', 'find_*', 'read_*')]
    return Setup(CodeModeToolset(tools, plan_writes=True, rules=reads, snapshots=Snapshots(key=_KEY)))


PLANNED = Route('code, planned', _planned)
"""For tasks whose user decides about every change."""
_BY_PEER = Route(PEER, _harness)


def route_named(name: str) -> Route:
    """Return the route of that name.

    Raises:
        KeyError: There is no such route.
    """
    for route in (*ROUTES, *VARIANTS, PLANNED, _BY_PEER):
        if route.name == name:
            return route
    raise KeyError(f'there is no route {name!r}')
