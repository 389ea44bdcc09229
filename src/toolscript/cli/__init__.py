"""The `toolscript` command. It is on the front door, and nothing is on it."""
