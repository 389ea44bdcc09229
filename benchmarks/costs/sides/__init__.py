"""The ways to run scripts, each in its own environment."""
