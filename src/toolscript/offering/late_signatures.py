"""Signatures of found functions that no result in the conversation shows."""

from collections.abc import Sequence
from typing import Any

from pydantic_ai.messages import InstructionPart, ModelMessage

from toolscript.discovery.discoveries import signed_names
from toolscript.routing.placement import RUN_CODE

from .run_code_tool import RunCodeTool


def late_signatures(run_code: RunCodeTool[Any], messages: Sequence[ModelMessage]) -> InstructionPart | None:
    """An instruction that tells them, appended to the conversation; `None` where results tell them all.

    A result tells the signatures of what it found. What another framework's search found, or a search without them,
    is told here.
    """
    signed = signed_names(messages)
    untold = [name for name in run_code.found if name not in signed]
    if not untold:
        return None
    text = run_code.functions.catalog.render(untold).text
    name = run_code.functions.shown_name(RUN_CODE)
    return InstructionPart(f'Also defined in {name}:\n\n{text}', dynamic=True, on_change='append', name='functions')
