"""What a script is going to call, read off the part of it that is written."""
