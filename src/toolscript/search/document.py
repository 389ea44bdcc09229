"""A tool as the search sees it: its texts, field by field."""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from toolscript.guards import is_array, is_object

MAX_CHARS = 10_000
"""How many characters of each field the search reads, so that one tool cannot take the time of all others."""
_MAX_CHOICES = 1_000
"""How many values of one `enum` the search reads."""

_MAX_DEPTH = 4
"""Schemas may be endless or contain themselves. Deeper levels say little about a tool."""

FIELDS = ('name', 'first sentence', 'description', 'parameters', 'their descriptions', 'choices', 'server')
"""The fields of a tool, in the order of `texts`."""
HEADLINE, DETAILS = 1, 2
"""The indexes of the two parts of the description."""

_MIN_HEADLINE = 30
# The expression begins with the characters at which it may match, which makes the search fast.
_HEADLINE_END = re.compile(
    r'[\s。](?:(?<=[.!?]\s)\s*(?=\S)|(?<=。)|(?<=\n)\s*(?:\n|(?=Args|Arguments|Parameters|Returns|参数|返回)))'
)


@dataclass(frozen=True)
class Document:
    """The description of one tool. Do not change its schema: an index is reused as long as its documents are equal."""

    name: str
    description: str | None = None
    parameters: Mapping[str, Any] | None = None
    """The JSON schema of the arguments."""
    server: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class ParameterTexts:
    """The texts of a parameter schema, by kind."""

    names: list[str]
    descriptions: list[str]
    choices: list[str]
    """String values of `enum`."""


def texts(document: Document) -> tuple[str, ...]:
    """Return the text of each field, in the order of `FIELDS`: its first `MAX_CHARS` characters."""
    headline, details = _split_description((document.description or '')[:MAX_CHARS].strip())
    parameters = parameters_of(document.parameters)
    fields = (
        document.name,
        headline,
        details,
        ' '.join(parameters.names),
        ' '.join(parameters.descriptions),
        ' '.join(parameters.choices),
        ' '.join((document.server or '', *document.tags)),
    )
    return tuple(field[:MAX_CHARS] for field in fields)


def report_cut(document: Document) -> None:
    """Log that the search reads only the beginning of a description."""
    if len(document.description or '') > MAX_CHARS:
        text = 'The search reads the first %d characters of the description of tool %.200r.'
        _logger.warning(text, MAX_CHARS, document.name)


_logger = logging.getLogger('toolscript.search')


def parameters_of(schema: Mapping[str, Any] | None) -> ParameterTexts:
    """Return the names, descriptions and choices in `schema`. Malformed parts count as absent."""
    found = ParameterTexts([], [], [])
    _collect(schema, found, _MAX_DEPTH)
    return found


def _split_description(description: str) -> tuple[str, str]:
    end = _HEADLINE_END.search(description, _MIN_HEADLINE)
    return (description[: end.start()], description[end.end() :]) if end else (description, '')


def _collect(schema: Mapping[str, Any] | None, found: ParameterTexts, depth: int) -> None:
    if not schema or not depth:
        return
    if is_object(properties := schema.get('properties')):
        for name, node in properties.items():
            found.names.append(str(name))
            if is_object(node):
                _collect_texts(node, found)
                if 'properties' in node or 'items' in node:
                    _collect(node, found, depth - 1)
    if is_object(items := schema.get('items')):
        _collect(items, found, depth - 1)


def _collect_texts(node: Mapping[str, Any], found: ParameterTexts) -> None:
    if isinstance(text := node.get('description'), str):
        found.descriptions.append(text[:MAX_CHARS])
    if is_array(values := node.get('enum')):
        found.choices.extend(value for value in islice(values, _MAX_CHOICES) if isinstance(value, str))
