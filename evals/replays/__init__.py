"""Replays the published plans of a public benchmark by each way of calling its tools."""
