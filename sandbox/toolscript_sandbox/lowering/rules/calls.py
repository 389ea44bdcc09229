"""Rules for calls that Monty cannot make as they are written."""

from __future__ import annotations

from toolscript_sandbox.lowering.classes.kinds import KIND_RULES
from toolscript_sandbox.lowering.classes.ordering import ORDER_RULES
from toolscript_sandbox.lowering.rewriter import Named, Rule
from toolscript_sandbox.lowering.special_classes.enums import ENUM_RULES

from .callbacks import CALLBACK_RULES
from .comparators import COMPARATOR_RULES
from .handed_over import HANDED_OVER_RULES
from .instances import INSTANCE_RULES
from .methods import METHOD_RULES, RULES_FOR_DATES
from .operators import OPERATOR_RULES
from .path_members import CALLS_OF_PATHS
from .tasks import TASK_RULES

CALL_RULES: tuple[Rule | Named, ...] = (
    *TASK_RULES,
    *CALLBACK_RULES,
    *KIND_RULES,
    *ENUM_RULES,
    *COMPARATOR_RULES,
    *INSTANCE_RULES,
    *ORDER_RULES,
    *OPERATOR_RULES,
    *RULES_FOR_DATES,
    *CALLS_OF_PATHS,
    *METHOD_RULES,
    *HANDED_OVER_RULES,
)
"""The first that knows a call has its word."""
