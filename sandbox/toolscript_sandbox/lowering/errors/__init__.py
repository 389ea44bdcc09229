"""Exceptions, their attributes and their messages, as Python has them."""
