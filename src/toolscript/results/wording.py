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
    """The result with a list, an empty text or `None` as the JSON of it, where a provider's model reads it.

    Anthropic is sent a block for each item of a list, without quotes, so that `['a']` and `'a'` are one; OpenAI is sent
    nothing for an empty list, an empty text and `None`. What holds files stays a list, for their sake.
    """
    value = result.return_value
    mistaken = value is None or value == '' or (is_array(value) and not holds_files(value))
    if not mistaken or all(system_of(candidate) in TEST_SYSTEMS for candidate in candidates(model)):
        return result
    return replace(result, return_value=pydantic_core.to_json(value).decode())


def visible(result: ToolReturn[Any]) -> ToolReturn[Any]:
    """The result with all that is in its texts visible."""
    visible = _visible(result.return_value)
    return result if visible is result.return_value else replace(result, return_value=visible)


def _visible(value: Any) -> Any:
    if isinstance(value, str):
        return with_visible(value)
    if is_object(value):
        return {with_visible(str(key)): _visible(inner) for key, inner in value.items()}
    return [_visible(inner) for inner in value] if is_array(value) else value


TEST_SYSTEMS = frozenset({'function', 'test'})
"""What models that have no provider are called."""


def candidates(model: object) -> Iterator[object]:
    """The model itself; in place of one that wraps others, those."""
    match model:
        case FallbackModel():
            for candidate in model.models:
                yield from candidates(candidate)
        case WrapperModel():
            yield from candidates(model.wrapped)
        case _:
            yield model


def system_of(model: object) -> str:
    """The provider's name for itself; a test's where it is no model of pydantic-ai."""
    return model.system if isinstance(model, Model) else 'test'
