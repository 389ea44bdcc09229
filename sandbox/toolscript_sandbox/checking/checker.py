"""Runs Monty's type checker, and finds the nodes that its findings are about."""

import ast
import asyncio
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from pydantic_monty import (
    AsyncMonty,
    AsyncMontySession,
    ExternalModule,
    MontyError,
    MontyRuntimeError,
    MontySyntaxError,
    MontyTypingError,
    ResourceLimits,
)

from toolscript_sandbox.contract.functions import HOST, Function
from toolscript_sandbox.language.syntax import walk

from .stubs import loosened


@dataclass(frozen=True)
class Diagnostic:
    """One finding."""

    rule: str
    message: str
    line: int
    """The line in the checked snippet, from 1."""
    column: int
    """The column, in characters from 0."""
    end_line: int
    end_column: int


@dataclass(frozen=True)
class CheckContext:
    """The names that exist when a snippet starts."""

    functions: tuple[Function, ...] = ()
    """The functions that this snippet or an earlier one names."""
    types: tuple[tuple[str, Function], ...] = ()
    """Names of types that the snippet uses, each with the function whose stub defines it."""
    untyped: frozenset[str] = frozenset()
    """Variables of unknown type."""
    history: tuple[str, ...] = ()
    """Import statements and earlier snippets of the session."""


class Unchecked(Exception):
    """A snippet could not be checked, so it must not run. The message is for the model."""


class CheckerFailed(Exception):
    """The checker failed for a reason other than the snippet; another checker may succeed."""


@dataclass(frozen=True)
class Check:
    """A running check."""

    turn: asyncio.Future[object]
    """Done when the check is over, whatever it found."""
    lines_before: int
    """How many lines of ours precede the snippet in the checked text."""

    def findings(self) -> list[Diagnostic]:
        """Return all findings about the code, relevant or not. The check must be over.

        Raises:
            Unchecked: The checker cannot read the code.
            CheckerFailed: The checker did not finish.
        """
        error = self.turn.exception()
        if isinstance(error, MontyTypingError):
            return _diagnostics(error.display(), self.lines_before)
        if isinstance(error, MontySyntaxError):
            raise Unchecked(f'SyntaxError: {error.exception()}\nNothing was run.') from error
        if isinstance(error, MontyRuntimeError) and isinstance(error.exception(), _CHECKED):
            return []
        raise CheckerFailed('the prelude let the snippet run' if error is None else str(error)) from error


class Checker:
    """A session that checks and never runs anything."""

    def __init__(self) -> None:
        self._modules = dict[str, ExternalModule]()
        self._session: AsyncMontySession | None = None
        self._checks = 0

    def checkout(self, pool: AsyncMonty) -> AsyncMontySession:
        """Check out a session that type-checks."""
        self._session = pool.checkout(
            type_check=True, type_check_format='json', external_modules=self._modules, limits=_LIMITS
        )
        return self._session

    @property
    def is_worn(self) -> bool:
        """Whether the session has accumulated so much that it should be replaced."""
        return self._checks > _CHECKS or len(self._modules) > _MODULES

    def begin(self, code: str, context: CheckContext) -> Check:
        """Begin a check. Raises `CheckerFailed`."""
        assert self._session is not None
        self._checks += 1
        before = '\n'.join([self._prelude(context), *context.history])
        try:
            turn = asyncio.ensure_future(self._session.feed_run(f'{before}\n{code}'))
        except (MontyError, RuntimeError) as error:
            raise CheckerFailed(str(error)) from error
        return Check(turn, before.count('\n') + 1)

    def _prelude(self, context: CheckContext) -> str:
        imports = [f'from {self._module(function)} import {_imported(function)}' for function in context.functions]
        imports += [f'from {self._module(function)} import {name}' for name, function in context.types]
        variables = [f'{name}: _Any = ...' for name in sorted(context.untyped)]
        # The first statement raises, so nothing after it runs; the checker cannot know that and checks the rest.
        return '; '.join(["int('-')", 'from typing import Any as _Any', *imports, *variables])

    def _module(self, function: Function) -> str:
        name = f'_{hashlib.sha256(function.stub.encode()).hexdigest()[:16]}'
        if name not in self._modules:
            self._modules[name] = ExternalModule({function.name: None}, stubs=loosened(function.stub))
        return name


def _imported(function: Function) -> str:
    hidden = function.name.startswith(HOST)
    return f'{function.name.removeprefix(HOST)} as {function.name}' if hidden else function.name


def _diagnostics(report: str, lines_before: int) -> list[Diagnostic]:
    """Return the first findings of a report, which is sorted by place. Some scripts have a hundred thousand."""
    found = list[Diagnostic]()
    start = report.find('{')
    while start >= 0 and len(found) < _FINDINGS:
        finding, end = _DECODER.raw_decode(report, start)
        found.append(_diagnostic(finding, lines_before))
        found = found if found[-1].line > 0 else []
        start = report.find('{', end)
    return found


def _diagnostic(finding: dict[str, Any], lines_before: int) -> Diagnostic:
    start, end = finding['location'], finding['end_location']
    return Diagnostic(
        rule=finding['code'] or '',
        message=finding['message'],
        line=start['row'] - lines_before,
        column=start['column'] - 1,
        end_line=end['row'] - lines_before,
        end_column=end['column'] - 1,
    )


def defined_types(stub: str) -> frozenset[str]:
    """Return the names of the types that a stub defines at its top level."""
    return frozenset(_TYPE.findall(stub))


_LIMITS: ResourceLimits = {'max_suspensions': 1_000_000_000}
# By default Monty stops at the thousandth module that a session imports, and each stub is a module.
_CHECKED = (ValueError, NotImplementedError)
# The error of the prelude, and Monty's error for unsupported syntax, which it will raise again when the script runs.
_FINDINGS = 2_000
_DECODER = json.JSONDecoder()
_CHECKS = 5_000
_MODULES = 2_000
_TYPE = re.compile(r'^(?:class |type )?([A-Z_]\w*)\s*(?:\(|:|=|\[)', re.MULTILINE)


Place: TypeAlias = tuple[int, int, int, int]
"""Line, column in bytes, last line and last column."""

Node: TypeAlias = ast.expr | ast.AugAssign | ast.keyword


class FindingPlaces:
    """The places of the nodes of one script."""

    def __init__(self, code: str, tree: ast.Module) -> None:
        self._lines = code.split('\n')
        self._tree = tree

    def of(self, finding: Diagnostic) -> Place:
        """Return the place of a finding."""
        start, end = self._lines[finding.line - 1], self._lines[finding.end_line - 1]
        columns = [len(start[: finding.column].encode()), len(end[: finding.end_column].encode())]
        return finding.line, columns[0], finding.end_line, columns[1]

    def node(self, finding: Diagnostic) -> Node | None:
        """Return the outermost node that fills the place of a finding."""
        return self._nodes.get(self.of(finding))

    def finding(self, rule: str, message: str, node: Node) -> Diagnostic:
        """Return a finding about a node."""
        line, start, end_line, end = _place_of(node)
        return Diagnostic(rule, message, line, self._characters(line, start), end_line, self._characters(end_line, end))

    def _characters(self, line: int, column: int) -> int:
        return len(self._lines[line - 1].encode()[:column].decode(errors='ignore'))

    @cached_property
    def _nodes(self) -> Mapping[Place, Node]:
        nodes = [node for node in walk(self._tree) if isinstance(node, (ast.expr, ast.AugAssign, ast.keyword))]
        return {_place_of(node): node for node in reversed(nodes)}


def _place_of(node: Node) -> Place:
    """Return the place of a node."""
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0
