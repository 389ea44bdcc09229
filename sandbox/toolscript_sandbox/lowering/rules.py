"""The rules that know single expressions and statements, applied in one walk."""

from __future__ import annotations

import ast

from .attributes import attributes
from .calls import calls
from .chains import chains
from .dispatch import registered
from .expressions import expressions, sliced
from .instances import mapped_items
from .kinds import unparametrized
from .operators import operators
from .path_members import of_paths
from .program import Program
from .rewriter import Rewriter, Rules
from .statements import statements
from .type_aliases import type_aliases
from .zones import zones


def by_rules(program: Program) -> Program:
    """The program after the first rule for each place that knows it."""
    return program.edited(Rewriter(program, _RULES).edits())


_RULES: Rules = {
    ast.Call: (chains, zones, calls, attributes),
    ast.Attribute: (chains, registered, zones, of_paths, attributes, expressions),
    ast.Compare: (operators, attributes, expressions),
    ast.Subscript: (unparametrized, attributes, type_aliases, sliced),
    ast.AugAssign: (zones, operators),
    ast.BinOp: (zones, expressions),
    ast.Dict: (mapped_items,),
    ast.Name: (expressions,),
    ast.Await: (expressions,),
    **dict.fromkeys([ast.Import, ast.ImportFrom, ast.Delete, ast.ClassDef, ast.AsyncWith], (statements,)),
}
