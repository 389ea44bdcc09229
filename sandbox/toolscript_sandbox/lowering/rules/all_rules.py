"""The rules that know single expressions and statements, applied in one walk."""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.classes.kinds import unparametrized
from toolscript_sandbox.lowering.classes.ordering import compared
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Rewriter, Rules, named

from .attributes import CALLS_FOR_ATTRIBUTES, READ_ATTRIBUTES, is_set, told_by_name
from .calls import CALL_RULES
from .chains import CALLS_OF_CHAINS, PARENTS_OF_CHAINS
from .dispatch import registered, registered_union
from .expressions import ATTRIBUTE_RULES, NAME_RULES, scaled, sliced, unawaited
from .file_rules import CALLS_FOR_FILES, NAMES_OF_FILES, PARTS_OF_ERRORS
from .instances import mapped_items
from .operators import operators
from .path_members import PARTS_OF_PATHS
from .statements import statements
from .tasks import awaited
from .type_aliases import type_aliases
from .zones import CALLS_OF_ZONES, PARTS_OF_ZONES, sums_in_zones


def by_rules(program: Program) -> Program:
    """The program after the first rule for each place that knows it."""
    return program.edited(Rewriter(program, RULES).edits())


RULES = Rules(
    {
        ast.Call: (
            named(registered_union, 'register'),
            *CALLS_OF_CHAINS,
            *CALLS_OF_ZONES,
            *CALLS_FOR_FILES,
            *CALL_RULES,
            *CALLS_FOR_ATTRIBUTES,
        ),
        ast.Attribute: (
            *PARENTS_OF_CHAINS,
            named(registered, 'register'),
            *PARTS_OF_ZONES,
            *PARTS_OF_ERRORS,
            *PARTS_OF_PATHS,
            *READ_ATTRIBUTES,
            *ATTRIBUTE_RULES,
        ),
        ast.Compare: (operators, is_set, compared),
        ast.Subscript: (unparametrized, told_by_name, type_aliases, sliced),
        ast.AugAssign: (sums_in_zones, operators),
        ast.BinOp: (sums_in_zones, scaled),
        ast.Dict: (mapped_items,),
        ast.Name: (*NAMES_OF_FILES, *NAME_RULES),
        ast.Await: (unawaited, awaited),
        **dict.fromkeys([ast.Import, ast.ImportFrom, ast.Delete, ast.ClassDef, ast.AsyncWith], (statements,)),
    }
)
