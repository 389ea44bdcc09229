"""Tools by their names: as they are, misspelt, or inside a request."""
