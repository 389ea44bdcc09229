"""JSON schemas and annotations, read into types."""
