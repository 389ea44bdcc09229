"""A model that plays an author's program, with eyes only for what a request shows it."""
