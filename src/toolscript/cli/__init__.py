"""The `toolscript` command. It stands on the front door, and nothing stands on it."""
