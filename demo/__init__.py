"""A demo of the main job: one agent with many tools, once as a script and once by direct calls."""
