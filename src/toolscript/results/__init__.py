"""What calls give back, and how they fail."""
