"""Each way to run scripts, in an environment of its own."""
