"""What takes the place of one expression or one statement."""
