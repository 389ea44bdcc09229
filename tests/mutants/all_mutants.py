"""All sabotages, by what they break."""

from . import routing, searching
from .mutant import Mutant

MUTANTS: list[Mutant] = [*routing.MUTANTS, *searching.MUTANTS]
