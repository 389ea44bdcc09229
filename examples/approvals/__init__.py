"""A chat in the browser that shows what scripts do, and asks before anything that needs a person's approval."""
