"""What docstrings say, and how they are written."""
