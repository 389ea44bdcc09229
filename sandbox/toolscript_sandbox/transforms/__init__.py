"""Changes of scripts' trees that provide the features which Monty lacks. One module per feature."""
