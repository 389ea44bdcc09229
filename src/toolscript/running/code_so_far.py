"""The code in the arguments of a `run_code` call that the model still writes."""

from typing import Any

from pydantic_core import from_json

from toolscript.guards import fields


def code_so_far(arguments: str | dict[str, Any] | None) -> str:
    """The beginning of the code in the beginning of the arguments: of their JSON, or of an object on some wires."""
    if isinstance(arguments, str):
        try:
            arguments = from_json(arguments, allow_partial='trailing-strings')
        except ValueError:
            return ''
    code = fields(arguments).get('code')
    return code if isinstance(code, str) else ''


def ends_a_line(arguments: str, start: int) -> bool:
    """Whether a line end may have come into JSON text since it was so long."""
    more = arguments[max(0, start - len(_ESCAPED) + 1) :]
    return '\\n' in more or _ESCAPED in more


_ESCAPED = '\\u000a'
