"""Which tools say which terms where, and how much that counts."""
