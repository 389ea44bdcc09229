"""FastMCP's code mode: the functions of a world as tools of its server, which the agent meets through MCP.

FastMCP exists only in its own environment.
"""

import re
from importlib import import_module
from typing import Any

from pydantic_ai.toolsets import AbstractToolset

from .dojo import Call, Failed, World

_TOOLS: Any = import_module('fastmcp.tools.base')


def toolset(world: World) -> AbstractToolset[Any]:
    """Return the tools of a server with code mode: `search`, `get_schema` and `execute`."""
    code_mode = import_module('fastmcp.experimental.transforms.code_mode').CodeMode(max_tool_calls=500)
    server = import_module('fastmcp').FastMCP(world.task.suite, transforms=[code_mode])
    for one in world.definitions():

        async def run(self: Any, arguments: dict[str, Any]) -> Any:
            result = world.call(Call(self.name, arguments))
            return _TOOLS.ToolResult(structured_content={'result': result}, is_error=isinstance(result, Failed))

        made = type('WorldTool', (_TOOLS.Tool,), {'run': run, '__module__': __name__})
        server.add_tool(made(name=one.name, description=one.description, parameters=one.parameters_json_schema))
    return import_module('pydantic_ai.mcp').MCPToolset(server)


def written(script: str, names: list[str]) -> str:
    """Return the script as `execute` requires it: with functions that use `call_tool`, and a `return` at its end."""
    used = [name for name in names if re.search(rf'\b{name}\(', script)]
    functions = [
        f"async def {name}(**arguments):\n    return (await call_tool('{name}', arguments))['result']" for name in used
    ]
    *before, last = script.splitlines()
    return '\n'.join([*functions, *before, f'return {last}'])
