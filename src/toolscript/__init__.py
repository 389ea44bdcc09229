"""A code-mode sandbox with discoverable tools for Pydantic AI agents."""
