"""JSON schemas and annotations, read into shapes."""
