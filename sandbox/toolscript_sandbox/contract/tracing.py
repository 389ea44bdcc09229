"""Who traces snippets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.trace import Link, Tracer
    from opentelemetry.util.types import AttributeValue


@dataclass(frozen=True)
class Tracing:
    """Where spans of snippets go, and what they may hold. Needs `opentelemetry-api`."""

    tracer: Tracer
    include_content: bool = False
    """Whether spans may hold code and the words of errors; otherwise they hold names, counts and kinds."""
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict[str, 'AttributeValue'])
    """What every span says."""
    links: Sequence[Link] = ()
    """What the span of a snippet is linked to; no other one."""
