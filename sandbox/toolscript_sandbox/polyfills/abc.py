"""Marks of abstract classes: `transforms/classes.py` reads them."""

from .classes import Abstract

ABC = ABCMeta = None
abstractmethod = Abstract
