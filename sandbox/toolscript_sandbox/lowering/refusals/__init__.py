"""What cannot be kept exactly, and is refused before anything runs."""
