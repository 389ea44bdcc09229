"""The same tasks by direct calls, by code and by both, and what each costs."""
