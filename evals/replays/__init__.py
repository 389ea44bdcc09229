"""Replays of a public benchmark: its published plans, by each way of calling tools."""
