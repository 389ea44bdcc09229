"""Types, names and values, as far as Python text needs them."""
