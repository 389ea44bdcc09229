"""What is known of one tool, as the search sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

_MAX_DEPTH = 4
"""Schemas nest without end and may hold themselves; deeper than this they no longer say what a tool is for."""


@dataclass(frozen=True)
class Document:
    """One tool, described. Treat its schema as frozen too: an index is kept for as long as its documents are equal."""

    name: str
    description: str | None = None
    parameters: Mapping[str, Any] | None = None
    """The JSON schema of the arguments."""
    server: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Parameters:
    """The texts of a parameter schema, by what they are."""

    names: list[str]
    descriptions: list[str]
    choices: list[str]
    """Text values of `enum`."""


def parameters_of(schema: Mapping[str, Any] | None) -> Parameters:
    """The names, descriptions and choices found in `schema`; whatever is malformed counts as absent."""
    found = Parameters([], [], [])
    _collect(schema, found, _MAX_DEPTH)
    return found


def _collect(schema: Mapping[str, Any] | None, found: Parameters, depth: int) -> None:
    if not schema or not depth:
        return
    if _is_mapping(properties := schema.get('properties')):
        for name, node in properties.items():
            found.names.append(str(name))
            if _is_mapping(node):
                _collect_texts(node, found)
                if 'properties' in node or 'items' in node:
                    _collect(node, found, depth - 1)
    if _is_mapping(items := schema.get('items')):
        _collect(items, found, depth - 1)


def _collect_texts(node: dict[str, Any], found: Parameters) -> None:
    if isinstance(text := node.get('description'), str):
        found.descriptions.append(text)
    if _is_list(values := node.get('enum')):
        found.choices.extend(value for value in values if isinstance(value, str))


def _is_mapping(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)
