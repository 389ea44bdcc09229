"""Classes of a script, which in Monty neither inherit nor have decorated methods."""
