"""Show a function or a JSON schema to a model as Python."""
