"""Marks that only matter to Python's own classes."""

ABC = None
ABCMeta = None
abstractmethod = None
