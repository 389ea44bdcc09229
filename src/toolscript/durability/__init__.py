"""Scripts that pause, resume elsewhere, and never repeat a call."""
