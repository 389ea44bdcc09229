"""Where the arguments of calls come from, and rules about that."""
