"""Values that cross the border between a script and the host."""
