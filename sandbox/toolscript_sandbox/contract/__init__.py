"""What the sandbox and its callers say to each other."""
