"""`toolscript serve`: code mode for MCP clients."""
