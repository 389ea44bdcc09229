"""Classes that inherit from what Monty cannot inherit from: enumerations, named tuples, dataclasses, builtin types."""
