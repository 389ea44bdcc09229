"""A tool as its owner describes it."""

import json
import marshal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class ToolSpec:
    """One tool to show to a model.

    Compared and hashed by identity. The schemas must not change afterwards.
    """

    name: str
    """The tool's own name; any string."""
    parameters: Mapping[str, Any]
    """The JSON schema of the arguments object; it may be malformed."""
    description: str | None = None
    returns: Mapping[str, Any] | None = None
    """The JSON schema of the result."""
    sequential: bool = False
    """Whether calls cannot overlap; such a tool is a plain `def`."""
    server: str | None = None
    """The server that has the tool; a budget is divided among servers."""
    read_only: bool | None = None
    destructive: bool | None = None
    pinned: bool = False
    """Whether a budget includes the tool before others."""
    variadic: str | None = None
    """The array property that the function takes as `*args`."""


def content_of(facts: tuple[object, ...], parameters: Mapping[str, Any], returns: Mapping[str, Any] | None) -> bytes:
    """Returns bytes that are equal for equal facts and schemas."""
    shown: Any = (facts, parameters, returns)
    with suppress(ValueError):  # other mappings than dicts, cycles, deep nesting
        return marshal.dumps(shown, _WITHOUT_REFERENCES)
    with suppress(ValueError, TypeError, RecursionError):
        return json.dumps(shown, default=repr).encode()
    return f'{facts} {id(parameters)} {id(returns)}'.encode('utf-8', 'surrogatepass')


_WITHOUT_REFERENCES = 2
"""The last version of marshal's format that writes equal values as equal bytes. It takes a quarter of JSON's time."""
