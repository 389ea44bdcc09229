"""How deferred tools are hidden, searched and found."""
