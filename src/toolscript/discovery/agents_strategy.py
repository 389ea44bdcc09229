"""The strategy of pydantic-ai's own `ToolSearch` in an agent whose deferred tools we search."""

from dataclasses import replace
from typing import Any

from pydantic_ai import RunContext, UserError
from pydantic_ai.capabilities import ToolSearch

from .search_options import ToolSearchOptions


def with_strategy_of_agent(options: ToolSearchOptions, ctx: RunContext[Any]) -> ToolSearchOptions:
    """The options, by the strategy of the agent's `ToolSearch` where they name no algorithm themselves.

    Our search leaves that capability no deferred tool to find, so that its strategy would be lost without a word.

    Raises:
        UserError: Both name one.
    """
    strategy = next((found.strategy for found in ctx.capabilities.values() if type(found) is ToolSearch), None)
    if strategy is None or strategy == options.algorithm:
        return options
    if options.algorithm is not None:
        raise UserError(
            f'ToolSearchOptions(algorithm={options.algorithm!r}) and ToolSearch(strategy={strategy!r}) search the same '
            'tools; keep one of them.'
        )
    return replace(options, algorithm=strategy)
