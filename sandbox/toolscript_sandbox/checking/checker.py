"""What Monty's type checker says of a snippet, and about which part of it."""

from __future__ import annotations

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
    """In the checked snippet, from 1."""
    column: int
    """From 0, in characters."""
    end_line: int
    end_column: int


@dataclass(frozen=True)
class CheckContext:
    """What a snippet finds when it starts."""

    functions: tuple[Function, ...] = ()
    """Those that it, or an earlier snippet, names."""
    types: tuple[tuple[str, Function], ...] = ()
    """Names of types that it uses, with the function whose stub defines them."""
    untyped: frozenset[str] = frozenset()
    """Variables of which nothing is known but that they exist."""
    history: tuple[str, ...] = ()
    """Import statements and earlier snippets of the session."""


class Unchecked(Exception):
    """A snippet could not be checked, so it must not run; the text is for the model."""


class CheckerFailed(Exception):
    """The checker failed, whatever the snippet; another one may do better."""


@dataclass(frozen=True)
class Check:
    """A check under way."""

    turn: asyncio.Future[object]
    """Ends with it, whatever it found."""
    lines_before: int
    """The checker reads the snippet behind so many lines of ours."""

    def findings(self) -> list[Diagnostic]:
        """All findings about the code, whether they matter or not, once it is over.

        Raises:
            Unchecked: The checker cannot read the code.
            CheckerFailed: It did not come to the end of its check.
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
        """A session that checks."""
        self._session = pool.checkout(
            type_check=True, type_check_format='json', external_modules=self._modules, limits=_LIMITS
        )
        return self._session

    @property
    def is_worn(self) -> bool:
        """Whether it has collected so much that a fresh one is better."""
        return self._checks > _CHECKS or len(self._modules) > _MODULES

    def begin(self, code: str, context: CheckContext) -> Check:
        """A check that has begun. Raises `CheckerFailed`."""
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
        # The first statement raises, so nothing after it runs; the checker cannot know that and reads on.
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
    """The first findings of a report, which lists them by place. Some scripts have a hundred thousand."""
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
    """Names of the types that a stub defines at its top level."""
    return frozenset(_TYPE.findall(stub))


_LIMITS: ResourceLimits = {'max_suspensions': 1_000_000_000}
# Monty would stop at the thousandth module that a session imports, and each stub is one.
_CHECKED = (ValueError, NotImplementedError)
# What the prelude raises, and what Monty says, behind the type check, of syntax that it lacks: it will say so again.
_FINDINGS = 2_000
_DECODER = json.JSONDecoder()
_CHECKS = 5_000
_MODULES = 2_000
_TYPE = re.compile(r'^(?:class |type )?([A-Z_]\w*)\s*(?:\(|:|=|\[)', re.MULTILINE)


Place: TypeAlias = tuple[int, int, int, int]
"""Line, column in bytes, last line and last column."""

Node: TypeAlias = ast.expr | ast.AugAssign | ast.keyword


class FindingPlaces:
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
