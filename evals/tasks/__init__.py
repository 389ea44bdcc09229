"""The tasks of agents, as data."""
