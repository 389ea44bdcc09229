"""The ways in which an agent can be given the same tools."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pydantic_ai.capabilities import AbstractCapability, ToolSearch
from pydantic_ai.toolsets import AbstractToolset

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
    """A way to give tools to an agent."""

    name: str
    about: str
    prepare: Callable[[Tools], Setup]
    searches: bool = False
    """Whether tools must be found first."""


def _direct(tools: Tools) -> Setup:
    return Setup(tools)


def _direct_search(tools: Tools) -> Setup:
    return Setup(SearchableToolset(tools.defer_loading()))


def _direct_own_search(tools: Tools) -> Setup:
    return Setup(SearchableToolset(tools.defer_loading(), ToolSearchOptions(algorithm='ranked')))


def _plain_search(tools: Tools) -> Setup:
    return Setup(tools.defer_loading(), (ToolSearch(),))


def _code(
    *,
    both: bool = False,
    search: bool = False,
    append: bool = False,
    answers: bool = False,
    prefetch: int = 0,
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
    Route('direct', 'every tool declared, called directly', _direct),
    Route('code', 'every tool a function in run_code, shown in its description', _code()),
    Route('both', 'every tool for both callers', _code(both=True)),
    Route('direct + search', 'tools found by our search, called directly', _direct_search, searches=True),
    Route('code + search', 'tools found by our search, called from code', _code(search=True), searches=True),
    Route(
        'code + search, appended',
        'the same, with a description that never changes',
        _code(search=True, append=True),
        searches=True,
    ),
    Route('both + search', 'tools found by our search, for both callers', _code(both=True, search=True), searches=True),
    Route(
        'pydantic-ai ToolSearch',
        "plain pydantic-ai: deferred tools and the provider's own search",
        _plain_search,
        searches=True,
    ),
)

VARIANTS: tuple[Route, ...] = (
    Route('code, answer from code', 'code, whose last script gives the answer itself', _code(answers=True)),
    Route('code, appended', 'code, its catalog appended to a description that never changes', _code(append=True)),
    Route(
        'both + search, appended',
        'both + search, with a description that never changes',
        _code(both=True, search=True, append=True),
        searches=True,
    ),
    Route(
        'direct + our search',
        'tools found by our search even where the provider has one, called directly',
        _direct_own_search,
        searches=True,
    ),
    Route(
        'code + search, prefetched',
        'code + search, with what the words of the task find shown from the start',
        _code(search=True, prefetch=8),
        searches=True,
    ),
)
"""The same routes with one change. The routes above search with our own ranking if the provider does not search."""


def _harness(tools: Tools) -> Setup:
    # It pins other releases of pydantic-ai, so it only exists in its own environment.
    code_mode: AbstractCapability[Any] = import_module('pydantic_ai_harness').CodeMode()
    return Setup(tools, (code_mode,))


def _planned(tools: Tools) -> Setup:
    reads = [ToolRule(names, mark_read_only=True) for names in ('list_*', 'find_*', 'read_*')]
    return Setup(CodeModeToolset(tools, plan_writes=True, rules=reads, snapshots=Snapshots(key=_KEY)))


PLANNED = Route('code, planned', 'code, whose changes are approved before the first one', _planned)
"""For tasks whose user decides about every change."""
PEER = Route('harness CodeMode', 'pydantic-ai-harness: every tool in its run_code', _harness)
"""Another code mode, for `evals.replays`."""


def route_named(name: str) -> Route:
    """Return the route of that name.

    Raises:
        KeyError: There is no such route.
    """
    for route in (*ROUTES, *VARIANTS, PLANNED, PEER):
        if route.name == name:
            return route
    raise KeyError(f'there is no route {name!r}')
