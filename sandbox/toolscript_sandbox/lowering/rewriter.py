"""Replaces parts of a snippet by other text, each line staying where it was."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from toolscript_sandbox.text.placed import is_placed
from toolscript_sandbox.text.source import Edit, Source, spliced
from toolscript_sandbox.text.syntax import all_of, index_of

from .program import Program
from .scene import Scene

Node: TypeAlias = ast.expr | ast.stmt
Rule: TypeAlias = 'Callable[[Any, Rewriter], str | None]'
"""Text to stand in the node's place, or None to leave it (and look inside)."""


@dataclass(frozen=True)
class Named:
    """A rule that is only tried for some names: of what is called, of an attribute, of a variable.

    What was imported under another name is tried under both.
    """

    rule: Rule
    knows: Callable[[str], bool]


def named(rule: Rule, *names: str) -> Named:
    """A rule for these names."""
    return Named(rule, frozenset(names).__contains__)


class Rules:
    """Rules by the kind of node that they may know: most nodes have none, and are passed by."""

    def __init__(self, rules: Mapping[type[ast.AST], Sequence[Rule | Named]]) -> None:
        self._rules = rules
        self.kinds: KeysView[type[ast.AST]] = rules.keys()
        self._chosen = lru_cache(maxsize=2_000)(self._of)

    def of(self, kind: type[ast.AST], names: tuple[str, ...]) -> Sequence[Rule]:
        """Those for nodes of a kind that have one of the names, in their order; chosen once for a name."""
        # Scripts may have names of any length, which are not kept.
        return self._chosen(kind, names) if sum(map(len, names)) < _LONG else self._of(kind, names)

    def _of(self, kind: type[ast.AST], names: tuple[str, ...]) -> Sequence[Rule]:
        return [
            rule.rule if isinstance(rule, Named) else rule
            for rule in self._rules[kind]
            if not isinstance(rule, Named) or any(map(rule.knows, names))
        ]


class Rewriter:
    """Applies rules from the outside in; a rule asks for the rewritten text of the parts that it keeps."""

    def __init__(self, program: Program, rules: Rules | None = None) -> None:
        self.source: Source = program.source
        self.scene: Scene = program.scene
        self.reaching: dict[ast.FunctionDef, bool] = {}
        """Which functions of the snippet call the host, as far as somebody asked."""
        self._found = dict[str, frozenset[str]]()
        self._rules = rules or _NONE
        self._index = index_of(program.tree)
        self._meant = _other_names(program.tree) if self.scene.scopes.imported else {}

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
        return self._index.parents.get(node)

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """Everything that the node stands in, from the inside out."""
        parents = self._index.parents
        while (parent := parents.get(node)) is not None:
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
        kind = type(node)
        if kind not in self._rules.kinds:
            return None
        for rule in self._rules.of(kind, self._names(node)):
            text = rule(node, self)
            if text is not None:
                return text
        return None

    def _names(self, node: Node) -> tuple[str, ...]:
        """What stands in the text for what a node means, and what it is called where it was imported from."""
        place = node.func if type(node) is ast.Call else node
        if type(place) is ast.Name:
            return self._meant.get(place.id) or (place.id,)
        return (place.attr,) if type(place) is ast.Attribute else ()

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
        if not self._rules.kinds.isdisjoint(self._index.kinds):
            self._collect(self._index.below.get(node, ()), edits)
        return edits

    def _collect(self, nodes: Sequence[ast.AST], edits: list[Edit]) -> None:
        kinds, below = self._rules.kinds, self._index.below
        waiting = [*nodes[::-1]]
        while waiting:
            node = waiting.pop()
            kind = type(node)
            if kind in kinds:
                assert isinstance(node, (ast.expr, ast.stmt))
                text = self._replaced(node)
                if text is not None:
                    edits.append(self.source.replace(node, text))
                    continue
            if node in below and not (isinstance(node, ast.JoinedStr) and not is_placed(node, self.source)):
                waiting += below[node][::-1]

    def is_placed(self, string: ast.JoinedStr) -> bool:
        """Whether what stands inside an f-string is where the tree says."""
        return is_placed(string, self.source)


def _other_names(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    """What is imported as something else, with both names."""
    found = dict[str, tuple[str, ...]]()
    for alias in all_of(tree, ast.alias):
        if alias.asname is not None:
            found[alias.asname] = (*found.get(alias.asname, (alias.asname,)), alias.name.rpartition('.')[2])
    return found


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LONG = 60
_NONE = Rules({})
