"""Folders of the host, as scripts see them."""
