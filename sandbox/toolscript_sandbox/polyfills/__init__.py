"""Python source that runs inside Monty: what it lacks of the language and of the library."""
