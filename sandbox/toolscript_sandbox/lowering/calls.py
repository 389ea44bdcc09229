"""Rules for calls that Monty cannot make as they are written."""

from __future__ import annotations

import ast

from .callbacks import CALLBACK_RULES
from .instances import INSTANCE_RULES
from .methods import METHOD_RULES
from .rewriter import Node, Rewriter
from .tasks import TASK_RULES


def calls(node: Node, r: Rewriter) -> str | None:
    """The first rule that knows the call."""
    if not isinstance(node, ast.Call):
        return None
    return next((text for rule in _RULES if (text := rule(node, r)) is not None), None)


_RULES = (*TASK_RULES, *CALLBACK_RULES, *INSTANCE_RULES, *METHOD_RULES)
