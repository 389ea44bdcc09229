"""Functions that yield, and iterators that make one item at a time."""
