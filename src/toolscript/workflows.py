"""Time and chance where an engine for durable execution may run the code of a workflow again."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from pydantic_ai import RunContext


def temporal_workflow() -> Any:
    """Temporal's module for the code of workflows, if this is such code; otherwise None."""
    temporal: Any = sys.modules.get('temporalio.workflow')
    return temporal if temporal is not None and temporal.in_workflow() else None


def now() -> float:
    """Seconds since the epoch."""
    temporal = temporal_workflow()
    return time.time() if temporal is None else temporal.time()


def new_id() -> str:
    """A name that nothing else has."""
    temporal = temporal_workflow()
    return (uuid4() if temporal is None else temporal.uuid4()).hex


def clock_of(ctx: RunContext[Any]) -> Callable[[], float]:
    """A clock for the calls of a run, in seconds; in workflows of engines but Temporal it never advances."""
    temporal = temporal_workflow()
    if temporal is not None:
        return temporal.time
    return (lambda: 0.0) if ctx.in_durable_context else time.perf_counter
