"""All sabotages, by what they break."""

from . import (
    answering,
    calling,
    living_on,
    pausing,
    reading,
    routing,
    sandboxing,
    searching,
    starting_early,
    staying,
    telling,
    tracing,
)
from .mutant import Mutant

MUTANTS: list[Mutant] = [
    *routing.MUTANTS,
    *calling.MUTANTS,
    *searching.MUTANTS,
    *pausing.MUTANTS,
    *living_on.MUTANTS,
    *staying.MUTANTS,
    *sandboxing.MUTANTS,
    *starting_early.MUTANTS,
    *telling.MUTANTS,
    *answering.MUTANTS,
    *tracing.MUTANTS,
    *reading.MUTANTS,
]
