"""One `run_code` call on its way to the real tools and back."""
