"""Rules for calls that Monty cannot make as they are written."""

from __future__ import annotations

import ast

from .callbacks import CALLBACK_RULES
from .enums import ENUM_RULES
from .handed_over import HANDED_OVER_RULES
from .instances import INSTANCE_RULES
from .kinds import KIND_RULES
from .methods import METHOD_RULES
from .operators import OPERATOR_RULES
from .ordering import ORDER_RULES
from .path_members import PATH_RULES
from .rewriter import Node, Rewriter
from .tasks import TASK_RULES


def calls(node: Node, r: Rewriter) -> str | None:
    """The first rule that knows the call."""
    if not isinstance(node, ast.Call):
        return None
    return next((text for rule in _RULES if (text := rule(node, r)) is not None), None)


_RULES = (
    *TASK_RULES,
    *CALLBACK_RULES,
    *KIND_RULES,
    *ENUM_RULES,
    *INSTANCE_RULES,
    *ORDER_RULES,
    *OPERATOR_RULES,
    *PATH_RULES,
    *METHOD_RULES,
    *HANDED_OVER_RULES,
)
