"""A model that plays an author's program and sees only what a request shows it."""
