"""Places where tools do real things, so that a task can be checked by what it left behind."""
