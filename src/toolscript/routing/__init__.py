"""Who may call a tool, and where it lives."""
