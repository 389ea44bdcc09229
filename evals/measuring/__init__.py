"""The cost of a run, and whether it succeeded."""
