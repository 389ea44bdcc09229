"""Replaces parts of a snippet by other text, each line staying where it was."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from toolscript_sandbox.text.placed import is_placed
from toolscript_sandbox.text.scopes import scopes_of
from toolscript_sandbox.text.source import Edit, spliced
from toolscript_sandbox.text.syntax import index_of

from .program import Program

Node: TypeAlias = ast.expr | ast.stmt
Rule: TypeAlias = 'Callable[[Node, Rewriter], str | None]'
"""Text to stand in the node's place, or None to leave it (and look inside)."""
Rules: TypeAlias = Mapping[type[ast.AST], Sequence[Rule]]
"""Those that may know a node, by its kind: most nodes have none, and are passed by."""


class Rewriter:
    """Applies rules from the outside in; a rule asks for the rewritten text of the parts that it keeps."""

    def __init__(self, program: Program, rules: Rules) -> None:
        self.source = program.source
        self.scene = program.scene
        self.scene.scopes = scopes_of(program.tree)
        self.reaching = dict[ast.FunctionDef, bool]()
        """Which functions of the snippet call the host, as far as somebody asked."""
        self._found = dict[str, frozenset[str]]()
        self._rules = rules
        index = index_of(program.tree)
        self._parents = index.parents
        self._below = index.below

    def edits(self) -> list[Edit]:
        """What the rules change in the whole snippet."""
        return self._edits(self.source.tree)

    def text(self, node: Node) -> str:
        """The node's text after the rules."""
        replaced = self._replaced(node)
        return self.inside(node) if replaced is None else replaced

    def once(self, what: str, find: Callable[[], Iterable[str]]) -> frozenset[str]:
        """Names in the whole snippet, looked for when the first rule asks for them."""
        if what not in self._found:
            self._found[what] = frozenset(find())
        return self._found[what]

    def parent(self, node: ast.AST) -> ast.AST | None:
        """What the node stands in."""
        return self._parents.get(node)

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """Everything that the node stands in, from the inside out."""
        while (parent := self._parents.get(node)) is not None:
            yield parent
            node = parent

    def can_await(self, node: ast.AST) -> bool:
        """Whether `await` is possible where the node stands."""
        scope = next((outer for outer in self.above(node) if isinstance(outer, _FUNCTIONS)), None)
        return scope is None or isinstance(scope, ast.AsyncFunctionDef)

    def at_top(self, node: ast.AST) -> bool:
        """Whether the node stands in no function and no class."""
        return not any(isinstance(outer, (*_FUNCTIONS, ast.ClassDef)) for outer in self.above(node))

    def _replaced(self, node: Node) -> str | None:
        for rule in self._rules.get(type(node), ()):
            text = rule(node, self)
            if text is not None:
                return text
        return None

    def inside(self, node: Node) -> str:
        """The node's text with the rules applied to its parts only."""
        start = self.source.start(node)
        edits = [Edit(edit.start - start, edit.end - start, edit.text) for edit in self._edits(node)]
        return spliced(self.source.segment(node), edits)

    def text_between(self, nodes: Sequence[Node]) -> str:
        """The text from the first of some neighbours to the last, after the rules."""
        start, end = self.source.start(nodes[0]), self.source.end(nodes[-1])
        edits = list[Edit]()
        self._collect(nodes, edits)
        moved = [Edit(edit.start - start, edit.end - start, edit.text) for edit in edits]
        return spliced(self.source.text[start:end], moved)

    def _edits(self, node: ast.AST) -> list[Edit]:
        edits = list[Edit]()
        self._collect(self._below.get(node, ()), edits)
        return edits

    def _collect(self, nodes: Iterable[ast.AST], edits: list[Edit]) -> None:
        rules, below = self._rules, self._below
        for node in nodes:
            kind = type(node)
            if kind in rules:
                assert isinstance(node, (ast.expr, ast.stmt))
                text = self._replaced(node)
                if text is not None:
                    edits.append(self.source.replace(node, text))
                    continue
            if node in below and not (isinstance(node, ast.JoinedStr) and not self.is_placed(node)):
                self._collect(below[node], edits)

    def is_placed(self, string: ast.JoinedStr) -> bool:
        """Whether what stands inside an f-string is where the tree says."""
        return is_placed(string, self.source)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
