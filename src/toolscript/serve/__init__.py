"""`toolscript serve`: code mode for clients that speak MCP."""
