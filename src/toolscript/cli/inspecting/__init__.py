"""What a model would be shown of a target, and what that takes."""
