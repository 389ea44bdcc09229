"""Places in a script. The checker counts columns in characters, syntax trees in bytes."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cached_property
from typing import TypeAlias

from toolscript_sandbox.language.syntax import walk

from .checker import Diagnostic

Place: TypeAlias = tuple[int, int, int, int]
"""Line, column in bytes, last line and last column."""

Node: TypeAlias = ast.expr | ast.AugAssign | ast.keyword


class Places:
    """The places of one script."""

    def __init__(self, code: str, tree: ast.Module) -> None:
        self._lines = code.split('\n')
        self._tree = tree

    def of(self, finding: Diagnostic) -> Place:
        """Where a finding is."""
        start, end = self._lines[finding.line - 1], self._lines[finding.end_line - 1]
        columns = [len(start[: finding.column].encode()), len(end[: finding.end_column].encode())]
        return finding.line, columns[0], finding.end_line, columns[1]

    def node(self, finding: Diagnostic) -> Node | None:
        """The outermost node that fills the place of a finding."""
        return self._nodes.get(self.of(finding))

    def finding(self, rule: str, message: str, node: Node) -> Diagnostic:
        """A finding about a node."""
        line, start, end_line, end = _place_of(node)
        return Diagnostic(rule, message, line, self._characters(line, start), end_line, self._characters(end_line, end))

    def _characters(self, line: int, column: int) -> int:
        return len(self._lines[line - 1].encode()[:column].decode(errors='ignore'))

    @cached_property
    def _nodes(self) -> Mapping[Place, Node]:
        nodes = [node for node in walk(self._tree) if isinstance(node, (ast.expr, ast.AugAssign, ast.keyword))]
        return {_place_of(node): node for node in reversed(nodes)}


def _place_of(node: Node) -> Place:
    """Where a node is."""
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0
