"""Signatures of found functions that no result in the conversation shows."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any

from pydantic_ai.messages import InstructionPart, ModelMessage

from toolscript.discovery.discoveries import discoveries, signed_names
from toolscript.routing.placement import RUN_CODE

from .run_code_tool import RunCodeTool


def late_signatures(run_code: RunCodeTool[Any], messages: Sequence[ModelMessage]) -> list[InstructionPart]:
    """Instructions that tell them, appended to the conversation; none where results tell them all.

    A result tells the signatures of what it found. What another framework's search found, or a search without them, or
    a user's own words, is told here: what became known together in an instruction of its own, so that none changes when
    another comes.
    """
    signed = signed_names(messages)
    parts = list[InstructionPart]()
    known = list(run_code.described)
    for batch in _batches(run_code, messages):
        untold = [name for name in batch if name not in signed and name not in known]
        if untold:
            parts.append(_part(run_code, untold, known))
        known += batch
    return parts


def _batches(run_code: RunCodeTool[Any], messages: Sequence[ModelMessage]) -> Iterator[list[str]]:
    """The functions on show that were found, each with those that became known with it."""
    search = run_code.functions.search
    told = [*(() if search is None else search.known.batches), *discoveries(messages)]
    left = dict.fromkeys(run_code.found)
    for names in [*told, run_code.found]:
        batch = [name for name in dict.fromkeys(names) if name in left]
        for name in batch:
            del left[name]
        if batch:
            yield batch


def _part(run_code: RunCodeTool[Any], names: Sequence[str], known: Iterable[str]) -> InstructionPart:
    text = run_code.functions.catalog.additions(names, known=known)
    run_code_name = run_code.functions.shown_name(RUN_CODE)
    return InstructionPart(
        f'Also defined in {run_code_name}:\n\n{text}',
        dynamic=True,
        on_change='append',
        name=f'functions_{sha256(" ".join(names).encode()).hexdigest()[:8]}',
    )
