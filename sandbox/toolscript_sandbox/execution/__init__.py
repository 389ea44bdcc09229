"""A snippet on its way from start to outcome."""
