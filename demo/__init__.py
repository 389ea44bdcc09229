"""The main job, to be watched: one agent, many tools, once as a script and once by direct calls."""
