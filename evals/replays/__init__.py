"""Replays of a public benchmark: the plans that it publishes, by each way of calling its tools."""
