"""MCP servers: started, supervised, named, and read from the configuration of a client."""
