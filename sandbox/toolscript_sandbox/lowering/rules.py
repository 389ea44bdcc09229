"""The rules that know single expressions and statements, applied in one walk."""

from __future__ import annotations

from .attributes import attributes
from .calls import calls
from .expressions import expressions
from .program import Program
from .rewriter import Rewriter
from .statements import statements


def by_rules(program: Program) -> Program:
    """The program after the first rule for each place that knows it."""
    return program.edited(Rewriter(program, (calls, attributes, expressions, statements)).edits())
