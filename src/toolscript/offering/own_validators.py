"""What the validator of a function tool says of single arguments, before the call.

A function tool is validated by Pydantic, which converts: `'101'` for an `int`, a timestamp for a `datetime`. So where a
literal in a script contradicts the tool's signature, its validator is asked. Tools made from a JSON schema (of MCP
servers, or by `Tool.from_schema`) have a validator that takes anything, and cannot be asked.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import ToolsetTool
from pydantic_ai.toolsets.function import FunctionToolsetTool

from toolscript_signatures import ToolFunction


def accepts(function: ToolFunction, tool: ToolsetTool[AgentDepsT]) -> Callable[[str, Any], bool | None] | None:
    """Whether the tool takes a value for a parameter, by its Python name; None where only the call itself can tell."""
    if not isinstance(tool, FunctionToolsetTool):
        return None

    def accepted(word: str, value: Any) -> bool | None:
        key = next((one.key for one in function.parameters if one.name == word), word)
        found = _takes(tool, {key: value}, key)
        # What takes any object at all has not looked.
        return None if found and _takes(tool, {key: object()}, key) else found

    return accepted


def _takes(tool: ToolsetTool[AgentDepsT], arguments: Mapping[str, Any], key: str) -> bool | None:
    try:
        tool.args_validator.validate_python(dict(arguments))
    except ValidationError as error:
        places = [found['loc'] for found in error.errors(include_url=False, include_input=False)]
        if any(place[:1] == (key,) for place in places):
            return False
        # What is said of the arguments as a whole may be about those that were left out here.
        return None if () in places else True
    except Exception:  # a validator of the tool's own, which may want what only a call has
        return None
    return True
