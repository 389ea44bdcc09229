"""Sabotages of promises in README and docs; each must make a test fail. `make mutants` tries them all."""
