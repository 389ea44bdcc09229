"""The types that the sandbox and its callers exchange."""
