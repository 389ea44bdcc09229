"""A client as any MCP client is, with the protocol's own library: it knows nothing of toolscript."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.context import ClientRequestContext
from mcp.types import CallToolResult, ElicitRequestParams, ElicitResult, TextContent, Tool


@asynccontextmanager
async def connected(
    command: str, arguments: Sequence[str], environment: Mapping[str, str]
) -> AsyncGenerator[ClientSession]:
    """A session with a server, which is started for it.

    Args:
        command: The server's program.
        arguments: Of the program.
        environment: Its environment variables.
    """
    server = StdioServerParameters(command=command, args=[*arguments], env=dict(environment))
    async with (
        stdio_client(server) as (incoming, outgoing),
        ClientSession(incoming, outgoing, elicitation_callback=_approve) as session,
    ):
        await session.initialize()
        yield session


async def tools_of(session: ClientSession) -> list[Tool]:
    """What the client would show its model."""
    return (await session.list_tools()).tools


async def told(session: ClientSession, tool: str, arguments: Mapping[str, object]) -> str:
    """Call a tool, show what it does meanwhile, and give its text."""
    result = await session.call_tool(tool, dict(arguments), progress_callback=_show)
    assert isinstance(result, CallToolResult)
    return '\n'.join(part.text for part in result.content if isinstance(part, TextContent))


async def _show(progress: float, total: float | None, message: str | None) -> None:
    print(f'    {message}')


async def _approve(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
    """Where a client shows a form to its user; this one says yes to everything."""
    print('  asks:', params.message.replace('\n', '\n    '))
    return ElicitResult(action='accept', content={'decision': 'approve'})
