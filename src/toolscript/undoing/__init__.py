"""Undoes what scripts changed, by calling the inverses of the tools that they called."""
