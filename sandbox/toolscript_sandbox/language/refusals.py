"""Refusals of scripts before they run."""

import ast
from collections.abc import Sequence
from typing import NamedTuple


class Refusal(NamedTuple):
    """A refused place in the model's text, and what to write instead."""

    message: str
    """Complete sentences for the model."""
    line: int
    """The line, from 1."""
    column: int
    """The column in bytes from 0, as in syntax trees."""
    end: int | None = None
    """The column after the end of the place; None if it ends in another line."""


class Refused(Exception):
    """The script is valid Python, but the sandbox does not support it. It has not run."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__(*(refusal.message for refusal in refusals))
        self.refusals: tuple[Refusal, ...] = tuple(refusals)


def refusal(
    node: ast.expr | ast.stmt | ast.alias | ast.excepthandler | ast.arg | ast.keyword | ast.pattern, message: str
) -> Refusal:
    """Return a refusal of a node."""
    end = node.end_col_offset if node.end_lineno == node.lineno else None
    return Refusal(message, node.lineno, node.col_offset, end)
