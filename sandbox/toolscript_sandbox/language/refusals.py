"""What a snippet may not do, said before any of it runs."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Refusal:
    """A place in the model's text, and what to write instead."""

    message: str
    """Whole sentences, for the model."""
    line: int
    """From 1."""
    column: int
    """From 0, in bytes, as in syntax trees."""
    end: int | None = None
    """Behind the place, in the same line; None where it ends in another one."""


class Refused(Exception):
    """The snippet is Python, but cannot be vouched for here. Nothing of it has run."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__(*(refusal.message for refusal in refusals))
        self.refusals: tuple[Refusal, ...] = tuple(refusals)


def refusal(node: ast.expr | ast.stmt | ast.alias | ast.excepthandler | ast.arg, message: str) -> Refusal:
    """A refusal of what the node says."""
    end = node.end_col_offset if node.end_lineno == node.lineno else None
    return Refusal(message, node.lineno, node.col_offset, end)
