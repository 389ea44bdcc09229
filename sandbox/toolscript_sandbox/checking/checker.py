"""The text that Monty's type checker reads, and its findings."""

import ast
import hashlib
import json
import re
from typing import Any, NamedTuple, TypeAlias

from pydantic_monty import ExternalModule, MontyRuntimeError, MontySyntaxError, MontyTypingError, ResourceLimits

from toolscript_sandbox.contract.functions import HOST, Function

from .stubs import loosened


class Diagnostic(NamedTuple):
    """One finding."""

    rule: str
    message: str
    line: int
    """The line in the checked script, from 1."""
    column: int
    """The column, in characters from 0."""
    end_line: int
    end_column: int


class CheckContext(NamedTuple):
    """The names that exist when a script starts."""

    functions: tuple[Function, ...] = ()
    """The functions that this script or an earlier one names."""
    types: tuple[tuple[str, Function], ...] = ()
    """Names of types that the script uses, each with the function whose stub defines it."""
    untyped: frozenset[str] = frozenset()
    """Variables of unknown type."""
    history: tuple[str, ...] = ()
    """Import statements and earlier scripts of the session."""


class Unchecked(Exception):
    """A script could not be checked, so it must not run. The message is for the model."""


class CheckerFailed(Exception):
    """The checker failed for a reason other than the script; another checker may succeed."""


def prelude(context: CheckContext, modules: dict[str, ExternalModule]) -> str:
    """Return the lines before a script, which define what exists when it starts. Adds modules with their stubs."""
    imports = [f'from {_module(function, modules)} import {_imported(function)}' for function in context.functions]
    imports += [f'from {_module(function, modules)} import {name}' for name, function in context.types]
    variables = [f'{name}: _Any = ...' for name in sorted(context.untyped)]
    # The first statement raises, so nothing after it runs; the checker cannot know that and checks the rest.
    first = '; '.join(["int('-')", 'from typing import Any as _Any', *imports, *variables])
    return '\n'.join([first, *context.history])


def _module(function: Function, modules: dict[str, ExternalModule]) -> str:
    name = f'_{hashlib.sha256(function.stub.encode()).hexdigest()[:16]}'
    if name not in modules:
        modules[name] = ExternalModule({function.name: None}, stubs=loosened(function.stub))
    return name


def _imported(function: Function) -> str:
    hidden = function.name.startswith(HOST)
    return f'{function.name.removeprefix(HOST)} as {function.name}' if hidden else function.name


def findings_of(error: Exception | None, lines_before: int) -> list[Diagnostic]:
    """Return all findings about the code, relevant or not.

    Args:
        error: The error that ended the check.
        lines_before: How many lines precede the script in the checked text.

    Raises:
        CheckerFailed: The checker did not finish.
    """
    if isinstance(error, MontyTypingError):
        return _diagnostics(error.display(), lines_before)
    if isinstance(error, MontySyntaxError):
        # Monty raises it again when the script runs, with its line, unless a transform has removed the cause.
        return []
    if isinstance(error, MontyRuntimeError) and isinstance(error.exception(), _CHECKED):
        return []
    raise CheckerFailed('the prelude let the script run' if error is None else str(error)) from error


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


LIMITS: ResourceLimits = {'max_suspensions': 1_000_000_000}
# By default Monty stops at the thousandth module that a session imports, and each stub is a module.
_CHECKED = (ValueError, NotImplementedError)
# The error of the prelude, and Monty's error for unsupported syntax, which it will raise again when the script runs.
_FINDINGS = 2_000
_DECODER = json.JSONDecoder()
_TYPE = re.compile(r'^(?:class |type )?([A-Z_]\w*)\s*(?:\(|:|=|\[)', re.MULTILINE)


Node: TypeAlias = ast.expr | ast.AugAssign | ast.keyword
Found: TypeAlias = tuple[str, str, ast.expr]
"""A finding of our own: its rule, its message and the node."""
