"""Trees of scripts, changed so that Monty runs what it lacks. One feature a module."""
