"""What operators see of tool search."""

import logging
from collections.abc import Sequence
from typing import Any

from opentelemetry import trace
from pydantic_ai import RunContext

from toolscript.tracing import is_instrumented

_logger = logging.getLogger('toolscript.search')


def report(ctx: RunContext[Any], *, deferred: int, eager: int, added: bool) -> None:
    """Put the numbers of a step on the run's span, and those of a run's first step into the log.

    The attributes are `toolscript.search.deferred`, `toolscript.search.eager` and `toolscript.search.added`.
    """
    numbers = {'deferred': deferred, 'eager': eager, 'added': added}
    if is_instrumented(ctx):
        trace.get_current_span().set_attributes({f'toolscript.search.{key}': value for key, value in numbers.items()})
    if ctx.run_step <= 1:
        text = 'tool search: %d deferred tools, %d eager tools, search %s'
        _logger.info(text, deferred, eager, 'added' if added else 'not added')


def report_found(ctx: RunContext[Any], algorithm: object, names: Sequence[str]) -> None:
    """Put what a search found on the current span, which is the search's own.

    The attributes are `toolscript.search.algorithm`, `toolscript.search.found` and `toolscript.search.names`, of which
    there are 20 at most.
    """
    if not is_instrumented(ctx):
        return
    said = algorithm if isinstance(algorithm, str) else 'own' if callable(algorithm) else 'ranked'
    found = {'algorithm': said, 'found': len(names), 'names': list(names[:_MOST_NAMES])}
    trace.get_current_span().set_attributes({f'toolscript.search.{key}': value for key, value in found.items()})


_MOST_NAMES = 20
