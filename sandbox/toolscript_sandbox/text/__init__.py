"""A snippet as text, as a tree and as names."""
