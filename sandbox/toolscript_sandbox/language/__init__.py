"""What a script may be: the table of the dialect, the analysis of a script, and its validation."""
