"""Results that read the same on every wire."""

from dataclasses import replace
from typing import Any

import pydantic_core
from pydantic_ai import ToolReturn

from toolscript.guards import is_array

from .candidates import TEST_SYSTEMS, candidates, system_of
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
