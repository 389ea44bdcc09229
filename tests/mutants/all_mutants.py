"""All sabotages, by what they break."""

from . import calling, pausing, routing, sandboxing, searching, telling
from .mutant import Mutant

MUTANTS: list[Mutant] = [
    *routing.MUTANTS,
    *calling.MUTANTS,
    *searching.MUTANTS,
    *pausing.MUTANTS,
    *sandboxing.MUTANTS,
    *telling.MUTANTS,
]
