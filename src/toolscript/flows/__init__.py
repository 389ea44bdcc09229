"""Tracks where the arguments of calls come from, and enforces rules about it."""
