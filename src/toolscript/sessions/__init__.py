"""Variables that persist across runs."""
