"""Scripts that wait, go on elsewhere, and never do a thing twice."""
