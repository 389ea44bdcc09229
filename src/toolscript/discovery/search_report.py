"""What operators see of tool search."""

import logging
from typing import Any

from opentelemetry import trace
from pydantic_ai import RunContext

_logger = logging.getLogger('toolscript.search')


def report(ctx: RunContext[Any], *, deferred: int, eager: int, added: bool) -> None:
    """Put the numbers of a step on the current span, and those of a run's first step into the log.

    The attributes are `toolscript.search.deferred`, `toolscript.search.eager` and `toolscript.search.added`.
    """
    numbers = {'deferred': deferred, 'eager': eager, 'added': added}
    trace.get_current_span().set_attributes({f'toolscript.search.{key}': value for key, value in numbers.items()})
    if ctx.run_step <= 1:
        text = 'tool search: %d deferred tools, %d eager tools, search %s'
        _logger.info(text, deferred, eager, 'added' if added else 'not added')
