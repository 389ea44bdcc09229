"""What a run cost, and whether it did what was asked."""
