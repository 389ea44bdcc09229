"""What calls return, and how they fail."""
