"""The language of scripts: the table of the dialect, the analysis of a script, and its validation."""
