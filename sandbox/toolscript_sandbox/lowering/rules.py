"""The rules that know single expressions and statements, applied in one walk."""

from __future__ import annotations

import ast

from .attributes import attributes
from .calls import calls
from .expressions import expressions
from .program import Program
from .rewriter import Rewriter, Rules
from .statements import statements


def by_rules(program: Program) -> Program:
    """The program after the first rule for each place that knows it."""
    return program.edited(Rewriter(program, _RULES).edits())


_RULES: Rules = {
    ast.Call: (calls, attributes),
    ast.Attribute: (attributes, expressions),
    ast.Compare: (attributes, expressions),
    ast.Subscript: (attributes,),
    **dict.fromkeys([ast.Await, ast.BinOp, ast.Name], (expressions,)),
    **dict.fromkeys([ast.Import, ast.ImportFrom, ast.Delete, ast.ClassDef, ast.AsyncWith], (statements,)),
}
