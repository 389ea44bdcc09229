"""Triage over six MCP servers: what crashed, whether it is known, who is on call, and an issue for them."""
