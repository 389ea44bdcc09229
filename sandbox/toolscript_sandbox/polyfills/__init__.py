"""Python source that runs inside Monty and adds what it lacks of the language and the library."""
