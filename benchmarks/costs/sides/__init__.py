"""The ways to run scripts, each in a separate environment."""
