"""A chat in the browser that shows what scripts do and asks before calls that need approval."""
