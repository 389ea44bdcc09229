"""Worlds in which tools have real effects, so that a task can be checked by the final state."""
