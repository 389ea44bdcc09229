"""The same tasks with real models."""
