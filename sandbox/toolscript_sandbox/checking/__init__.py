"""Type checks of scripts before they run."""
