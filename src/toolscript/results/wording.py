"""Results as a model reads them: the same on every wire, and without invisible characters."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pydantic_core
from pydantic_ai import ToolReturn
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.wrapper import WrapperModel

from toolscript.guards import is_array, is_object
from toolscript_signatures import with_visible

from .values import holds_files


def worded(result: ToolReturn[Any], model: object) -> ToolReturn[Any]:
    """Return the result, with the JSON of a list, an empty text or `None` in its place if a provider's model reads it.

    Anthropic gets a block for each item of a list, without quotes, so that `['a']` and `'a'` look the same; OpenAI gets
    nothing for an empty list, an empty text and `None`. A list with files stays a list, so that they stay files.
    """
    value = result.return_value
    mistaken = value is None or value == '' or (is_array(value) and not holds_files(value))
    if not mistaken or all(system_of(candidate) in TEST_SYSTEMS for candidate in candidates(model)):
        return result
    return replace(result, return_value=pydantic_core.to_json(value).decode())


def visible(result: ToolReturn[Any]) -> ToolReturn[Any]:
    """Return the result with everything in its texts visible."""
    visible = _visible(result.return_value)
    return result if visible is result.return_value else replace(result, return_value=visible)


def _visible(value: Any) -> Any:
    if isinstance(value, str):
        return with_visible(value)
    if is_object(value):
        return {with_visible(str(key)): _visible(inner) for key, inner in value.items()}
    return [_visible(inner) for inner in value] if is_array(value) else value


TEST_SYSTEMS = frozenset({'function', 'test'})
"""The systems of models that have no provider."""


def candidates(model: object) -> Iterator[object]:
    """Yield the model itself, or the models that it wraps."""
    match model:
        case FallbackModel():
            for candidate in model.models:
                yield from candidates(candidate)
        case WrapperModel():
            yield from candidates(model.wrapped)
        case _:
            yield model


def system_of(model: object) -> str:
    """Return the provider's name for itself; `'test'` if the model is not one of pydantic-ai."""
    return model.system if isinstance(model, Model) else 'test'
