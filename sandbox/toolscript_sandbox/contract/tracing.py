"""Settings for tracing scripts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.trace import Link, Tracer
    from opentelemetry.util.types import AttributeValue


@dataclass(frozen=True)
class Tracing:
    """The tracer for the spans of scripts, and what they may contain. Needs `opentelemetry-api`."""

    tracer: 'Tracer'
    include_content: bool = False
    """Whether spans may contain code and error messages; otherwise they contain names, counts and kinds."""
    attributes: 'Mapping[str, AttributeValue]' = field(default_factory=dict[str, 'AttributeValue'])
    """Attributes of every span."""
    links: 'Sequence[Link]' = ()
    """Links of the script's span."""
