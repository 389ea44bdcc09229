"""Rules for calls that Monty cannot make as they are written."""

from __future__ import annotations

import ast

from .callbacks import CALLBACK_RULES
from .comparators import COMPARATOR_RULES
from .enums import ENUM_RULES
from .handed_over import HANDED_OVER_RULES
from .instances import INSTANCE_RULES
from .kinds import KIND_RULES
from .methods import METHOD_RULES, METHODS_BY_NAME
from .operators import OPERATOR_RULES
from .ordering import ORDER_RULES
from .path_members import METHODS_OF_PATHS
from .rewriter import Node, Rewriter
from .tasks import TASK_RULES


def calls(node: Node, r: Rewriter) -> str | None:
    """The first rule that knows the call."""
    if not isinstance(node, ast.Call):
        return None
    return next((text for rule in _RULES if (text := rule(node, r)) is not None), None)


def _named(node: ast.Call, r: Rewriter) -> str | None:
    """Methods with a rule of their own."""
    rule = _BY_NAME.get(node.func.attr) if isinstance(node.func, ast.Attribute) else None
    return None if rule is None else rule(node, r)


_BY_NAME = {**METHODS_BY_NAME, **METHODS_OF_PATHS}
_RULES = (
    *TASK_RULES,
    *CALLBACK_RULES,
    *KIND_RULES,
    *ENUM_RULES,
    *COMPARATOR_RULES,
    *INSTANCE_RULES,
    *ORDER_RULES,
    *OPERATOR_RULES,
    _named,
    *METHOD_RULES,
    *HANDED_OVER_RULES,
)
