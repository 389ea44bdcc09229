"""Folders of the host that scripts can use."""
