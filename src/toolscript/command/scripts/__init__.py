"""Scripts run against the real tools of a target."""
