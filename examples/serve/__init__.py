"""An MCP client in front of `toolscript serve`, in front of the servers of an `mcp.json`."""
