"""An MCP server whose one tool logs and reports progress as often as requested."""

from mcp.server.mcpserver import Context, MCPServer

server = MCPServer('talkative')


@server.tool()
async def flood(times: int, ctx: Context) -> int:
    """Say a lot."""
    for number in range(times):
        await ctx.info('x' * 200)  # pyright: ignore[reportDeprecated]
        await ctx.report_progress(number, times, 'x' * 200)
    return times


if __name__ == '__main__':
    server.run()
