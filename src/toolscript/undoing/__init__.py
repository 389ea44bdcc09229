"""Taking back what scripts changed, by calls of the tools that are the inverses of those they called."""
