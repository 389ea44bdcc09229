"""The `run_code` tool: its description, its functions, and the texts of its results."""
