"""An MCP server of small, ordinary tools: an issue tracker."""

import anyio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

_TOOLS = {
    'search_issues': 'Find issues by words in them.',
    'search_code': 'Find lines of code.',
    'get_issue': 'All of one issue.',
    'create_issue': 'Open an issue.',
    'close_issue': 'Close an issue.',
}


async def _list(*_: object) -> types.ListToolsResult:
    schema = {'type': 'object', 'properties': {'about': {'type': 'string'}}, 'required': ['about']}
    tools = [types.Tool(name=name, description=text, input_schema=schema) for name, text in _TOOLS.items()]
    return types.ListToolsResult(tools=tools)


async def _call(_: object, request: types.CallToolRequestParams) -> types.CallToolResult:
    text = f'{request.name}: {(request.arguments or {}).get("about")}'
    return types.CallToolResult(content=[types.TextContent(type='text', text=text)])


async def _serve() -> None:
    server = Server('issues', on_list_tools=_list, on_call_tool=_call)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == '__main__':
    anyio.run(_serve)
