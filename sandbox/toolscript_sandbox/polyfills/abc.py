"""Markers of abstract classes, which `transforms/classes.py` reads."""

from .classes import Abstract

ABC = ABCMeta = None
abstractmethod = Abstract
