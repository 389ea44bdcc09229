"""Work beside the event loop, and tasks that are ended."""
