"""The same tasks by direct calls, by code and by both, and the cost of each."""
