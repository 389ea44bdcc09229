"""The same tasks by direct calls, by code and by both, with the costs of each."""
