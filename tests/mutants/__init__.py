"""Sabotages of what README and docs promise; each has to turn a test red. `make mutants` tries them all."""
