"""Who may call a tool, and where it is offered."""
