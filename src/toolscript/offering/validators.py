"""Validators of single arguments, before the call.

Pydantic validates the arguments of a function tool. It converts (`'101'` for an `int`, a timestamp for a `datetime`),
and it knows more than a signature says: bounds, patterns, which texts are dates. Tools made from a JSON schema (of MCP
servers, or by `Tool.from_schema`) have a validator that takes anything. Their arguments are compared with the schema.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import ToolsetTool
from pydantic_ai.toolsets.function import FunctionToolsetTool

from toolscript.catalog.file_types import takes_files
from toolscript_signatures import ToolFunction


def validator(function: ToolFunction, tool: ToolsetTool[AgentDepsT]) -> Callable[[str, Any], str | None] | None:
    """What says which values a parameter takes, as `Function.validate` does; None where only the call can."""
    if takes_files(tool.tool_def):
        # What a script gives by its path is a file only when the call is made.
        return None
    if not isinstance(tool, FunctionToolsetTool):
        return function.validate

    def validate(word: str, value: Any) -> str | None:
        key = next((one.key for one in function.parameters if one.name == word), word)
        found = _said(tool, {key: value}, key)
        if found == '' and _said(tool, {key: object()}, key) == '':
            # What takes any object at all has not looked.
            return function.validate(word, value)
        # The signature's words come first: they say what is wanted in the terms of Python.
        return found and (function.validate(word, value) or found)

    return validate


def _said(tool: ToolsetTool[AgentDepsT], arguments: Mapping[str, Any], key: str) -> str | None:
    try:
        tool.args_validator.validate_python(dict(arguments))
    except ValidationError as error:
        problems = error.errors(include_url=False)
        about = next((found for found in problems if found['loc'][:1] == (key,)), None)
        if about is not None:
            return _words(about['loc'][1:], about['msg'], about['input'])
        # What is said of the arguments as a whole may be about those that were left out here.
        return None if any(found['loc'] == () for found in problems) else ''
    except Exception:  # a validator of the tool's own, which may want what only a call has
        return None
    return ''


def _words(place: tuple[int | str, ...], message: str, given: object) -> str:
    shown = repr(given)
    found = f'{message}, found `{shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "..."}`'
    return f'at {".".join(map(str, place))}: {found}' if place else found


_SHOWN = 60
