"""The `run_code` tool: its text, the functions in it, and what its results say."""
