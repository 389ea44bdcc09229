"""Which parameter of a function tool is its `*args`.

In the JSON schema it is an array like any other, and nothing of a tool's definition tells. The tool that pydantic-ai's
`FunctionToolset` lists holds the call of the function, and what belongs to it knows the parameter's name; wrappers
that rename or prefix a tool keep that, and what was learned travels on in the definition's metadata.
"""

from typing import Any

from pydantic_ai.tools import ToolDefinition

VARIADIC_KEY = 'toolscript_variadic'


def variadic_mark(function_schema: object) -> dict[str, Any]:
    """The metadata of a tool whose function takes `*args`, empty for any other, by what pydantic-ai knows of it."""
    name = getattr(function_schema, 'var_positional_field', None)
    return {VARIADIC_KEY: name} if isinstance(name, str) else {}


def variadic_of(tool_def: ToolDefinition) -> str | None:
    """The array property that the tool's function takes as `*args`, if it said so."""
    name = tool_def.metadata.get(VARIADIC_KEY) if tool_def.metadata else None
    return name if isinstance(name, str) else None
