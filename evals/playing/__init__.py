"""A model that plays an author's program, using only what a request shows it."""
