"""What tools look like in code."""
