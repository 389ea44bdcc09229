"""What operators see of the catalog."""

from typing import Any

from opentelemetry import trace
from pydantic_ai import RunContext

from toolscript.tracing import is_instrumented
from toolscript_signatures import estimate_tokens


def report(ctx: RunContext[Any], *, functions: int, shown: int, description: str) -> None:
    """Put the size of a step's catalog on the run's span, if there is one.

    The attributes are `toolscript.catalog.functions`, `toolscript.catalog.shown` and `toolscript.catalog.tokens`.
    """
    span = trace.get_current_span()
    if not is_instrumented(ctx) or not span.is_recording():
        return
    numbers = {'functions': functions, 'shown': shown, 'tokens': estimate_tokens(description)}
    span.set_attributes({f'toolscript.catalog.{key}': value for key, value in numbers.items()})
