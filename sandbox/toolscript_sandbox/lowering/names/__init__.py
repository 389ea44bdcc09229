"""What names and imports stand for."""
