"""Type checks of snippets before they run."""
