"""What a script gives back, as a model may read it: no character in it that nobody would see.

Scripts have their values as they are. Only what is told is changed, here and nowhere else: each invisible character
stands there as Python writes it, so that a text which the model copies into its next script is the same text.
"""

from dataclasses import replace
from typing import Any

from pydantic_ai import ToolReturn

from toolscript.guards import is_array, is_object
from toolscript_signatures import with_visible


def told(result: ToolReturn[Any]) -> ToolReturn[Any]:
    """The result with all that is in its texts visible."""
    visible = _visible(result.return_value)
    return result if visible is result.return_value else replace(result, return_value=visible)


def _visible(value: Any) -> Any:
    if isinstance(value, str):
        return with_visible(value)
    if is_object(value):
        return {with_visible(str(key)): _visible(inner) for key, inner in value.items()}
    return [_visible(inner) for inner in value] if is_array(value) else value
