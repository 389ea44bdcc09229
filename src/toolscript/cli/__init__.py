"""The `toolscript` command. It exports nothing."""
