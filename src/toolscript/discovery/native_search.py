"""Which search finds the deferred tools of an agent: ours, or the provider's."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai import RunContext, UserError
from pydantic_ai.capabilities import ToolSearch
from pydantic_ai.models import Model
from pydantic_ai.native_tools import NATIVE_TOOL_TYPES

from toolscript.results.wording import TEST_SYSTEMS, candidates, system_of

from .search_options import ToolSearchOptions

_TOOL_SEARCH = NATIVE_TOOL_TYPES['tool_search']


class ToolSearchWarning(UserWarning):
    """A search runs in a different way than the options say."""


def with_strategy_of_agent(options: ToolSearchOptions, ctx: RunContext[Any]) -> ToolSearchOptions:
    """Return the options, with the strategy of the agent's `ToolSearch` if they name no algorithm.

    Our search leaves that capability no deferred tool to find, so its strategy would be lost silently.

    Raises:
        UserError: Both name an algorithm.
    """
    strategy = strategy_of_agent(ctx)
    if strategy is None or strategy == options.algorithm:
        return options
    if options.algorithm is not None:
        raise UserError(
            f'ToolSearchOptions(algorithm={options.algorithm!r}) and ToolSearch(strategy={strategy!r}) search the same '
            'tools; keep one of them.'
        )
    return replace(options, algorithm=strategy)


def strategy_of_agent(ctx: RunContext[Any]) -> Any:
    """Return the strategy of the agent's `ToolSearch`, which it also declares to the provider; `None` without one."""
    return next((found.strategy for found in ctx.capabilities.values() if isinstance(found, ToolSearch)), None)


def refuse_search_of_provider(ctx: RunContext[Any]) -> None:
    """Raise `UserError` for a `ToolSearch` that the provider runs: it would not find tools that are for scripts."""
    strategy = strategy_of_agent(ctx)
    if strategy in ('bm25', 'regex'):
        raise UserError(
            f'ToolSearch(strategy={strategy!r}) is a search of the provider, which cannot find tools that only scripts '
            f'may call. Remove it, and name the algorithm of our search: ToolSearchOptions(algorithm={strategy!r}).'
        )


def native_search_serves(
    options: ToolSearchOptions, model: object, *, declared: object = None, warn: bool = True
) -> bool:
    """Return whether the provider's own search is used with this model. Warns if a named algorithm is not native.

    `declared` is the algorithm that a capability of the agent declares to the provider. Raises `UserError` if the
    provider cannot run the algorithm, and the options say to refuse that.
    """
    if not _may_be_native(options):
        return False
    # A `FallbackModel` serves a request with any of its models, and tools are listed before it is known which.
    serving = list(candidates(model))
    if options.algorithm is None:
        return all(_is_native(candidate) for candidate in serving)
    if all(_has_named_algorithms(candidate) for candidate in serving):
        # Only a capability can choose the provider's algorithm; a toolset alone gets BM25.
        return options.algorithm in ('bm25', declared)
    if warn or options.on_unsupported == 'error':
        report_unsupported(options, serving)
    return False


def native_search_helps(options: ToolSearchOptions, model: object, *, warn: bool) -> bool:
    """Return whether the provider's own search is offered next to ours, for those of the models that have it."""
    if not _may_be_native(options):
        return False
    serving = list(candidates(model))
    native = [candidate for candidate in serving if _is_native(candidate)]
    if options.algorithm is None:
        return bool(native)
    if warn:
        report_unsupported(options, serving)
    # A model that has a native search but not the named one refuses the request, so none of them may get it.
    return bool(native) and all(_has_named_algorithms(candidate) for candidate in native)


def report_unsupported(options: ToolSearchOptions, serving: Sequence[object]) -> None:
    """Warn, or raise `UserError` if the options say so, if some model has no native search by the named algorithm."""
    without = [candidate for candidate in serving if not _has_named_algorithms(candidate)]
    names = sorted({_name(candidate) for candidate in without} - TEST_SYSTEMS)
    if not names:
        return
    problem = f'{", ".join(names)} has no native {options.algorithm!r} tool search'
    if options.on_unsupported == 'error':
        raise UserError(f"{problem}; use algorithm=None, or on_unsupported='fallback' to search here.")
    warnings.warn(f'{problem}; tools are searched here instead.', ToolSearchWarning, stacklevel=2)


def _may_be_native(options: ToolSearchOptions) -> bool:
    return options.algorithm in (None, 'bm25', 'regex')


def _has_named_algorithms(model: object) -> bool:
    return _is_native(model) and system_of(model) == 'anthropic'


def _name(model: object) -> str:
    """Return the provider; with the model, if other models of that provider have the search."""
    system = system_of(model)
    return f'{system}:{model.model_name}' if system == 'anthropic' and isinstance(model, Model) else system


def _is_native(model: object) -> bool:
    # Test models claim to have every native tool, but none of them can defer one.
    return (
        isinstance(model, Model)
        and model.tool_deferral_mode is not None
        and _TOOL_SEARCH in (model.profile.get('supported_native_tools') or ())
    )
