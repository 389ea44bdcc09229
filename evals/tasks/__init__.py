"""The tasks for agents, as data."""
