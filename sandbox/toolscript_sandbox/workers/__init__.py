"""Processes of Monty, from start to end: pools of workers and of type checkers."""
