"""A visible demo of the main job: one agent with many tools, once with scripts and once with direct calls."""
