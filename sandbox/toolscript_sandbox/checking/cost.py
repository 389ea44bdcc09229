"""Estimates the cost of a type check.

Monty's checker takes exponential time for some code, much of it only a few lines long: nested functions whose results
are inferred, consecutive branches that each wrap a variable in a container, loop variables that are computed from each
other. Twenty of any of these keep it busy for over a minute. Checks have a time limit, but others wait for them
meanwhile. So hopeless code is refused without a check, and code that could be slow waits in its own queue.
"""

import ast
import time
from dataclasses import dataclass
from functools import lru_cache

from toolscript_sandbox.language.syntax import index_of, tree_of

from .checker import Unchecked

MAX_NESTED = 12
"""The maximum depth of nested functions. A depth of 16 takes half a second, and each further level doubles that."""


@dataclass(frozen=True)
class Cost:
    """The properties of a text that decide how long its check takes."""

    nodes: int = 0
    nested: int = 0
    """The depth of nested functions."""
    branches: int = 0
    """Places at which a variable may get one type or another."""
    depth: int = 0
    """The depth of the tree; a hundred nested lists take a second."""

    @property
    def is_light(self) -> bool:
        """Whether no known code of this size takes longer than a few hundredths of a second."""
        if self.depth > _DEPTH:
            return False
        return self.nodes <= _NODES and self.nested <= _NESTED and self.branches <= _BRANCHES

    def __add__(self, other: 'Cost') -> 'Cost':
        nodes, branches = self.nodes + other.nodes, self.branches + other.branches
        return Cost(nodes, max(self.nested, other.nested), branches, max(self.depth, other.depth))


@lru_cache(maxsize=256)
def cost_of(text: str) -> Cost:
    """Return the cost of a text. One that does not parse counts as heavy."""
    try:
        tree = tree_of(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Cost(nodes=_NODES + 1)
    below = index_of(tree).below
    nodes = nested = branches = deepest = 0
    waiting = list[tuple[ast.AST, int, bool, int]]([(tree, 0, False, 0)])
    for node, depth, looping, deepest in waiting:  # From the outside in: the last one is the deepest.
        kind = type(node)
        nodes += 1
        inner = depth + (kind in _FUNCTIONS)
        nested = max(nested, inner)
        branches += kind in _BRANCHING or (looping and kind in _BINDING)
        if node in below:
            loop = looping or kind in _LOOPS
            waiting += [(child, inner, loop, deepest + 1) for child in below[node]]
    return Cost(nodes, nested, branches, deepest)


class ProcessorTime:
    """A limit on the processor time of this thread from now on."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.thread_time() + seconds

    def check(self) -> None:
        """Raise `Unchecked` if the time is up."""
        if time.thread_time() > self._end:
            raise Unchecked(_STOPPED.format(seconds=self._seconds))


_STOPPED = """\
The check of this snippet was stopped after {seconds:g} s. Write it shorter, or in several steps.
Nothing was run."""
_FUNCTIONS = frozenset[type[ast.AST]]([ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda])
_LOOPS = frozenset[type[ast.AST]]([ast.For, ast.AsyncFor, ast.While])
_BRANCHING = frozenset[type[ast.AST]]([*_LOOPS, ast.If, ast.IfExp, ast.Try, ast.Match, ast.BoolOp])
_BINDING = frozenset[type[ast.AST]]([ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr])
_NODES = 600
_DEPTH = 35
_NESTED = 5
_BRANCHES = 12
