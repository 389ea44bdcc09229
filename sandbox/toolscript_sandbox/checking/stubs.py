"""Stubs as the checker should see them, and their parameters."""

import ast
from functools import lru_cache
from typing import NamedTuple

from toolscript_sandbox.language.syntax import expression_of, module_of


@lru_cache(maxsize=4096)
def loosened(stub: str) -> str:
    """Replace loose types of results by `Any`.

    The result type of a function is often only roughly true: `dict[str, str | float]` for a record. So values of dicts
    and unions of several types become `Any`; records (`TypedDict`), single types and parameters stay as they are.
    """
    try:
        tree = module_of(stub)
    except SyntaxError:
        return stub
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            _loosen_function(node)
        if isinstance(node, ast.ClassDef):
            for part in (part for part in node.body if isinstance(part, ast.AnnAssign)):
                part.annotation = _Loose().visit(part.annotation)
    return 'import typing as _typing\n' + ast.unparse(ast.fix_missing_locations(tree))


class Parameters(NamedTuple):
    """The parameters of a function."""

    positional: tuple[str, ...]
    """Names in the order of positional arguments."""
    names: frozenset[str]
    """All names, including that of `*args`."""
    required: frozenset[str]
    variadic: str | None
    """The name of `*args`."""
    extra: bool
    """Whether the function takes further keywords."""
    closed: bool
    """Whether the stub forbids further keywords, with `**keywords: Never`."""


@lru_cache(maxsize=4096)
def parameters_of(stub: str) -> Parameters | None:
    """Return the parameters of the function of a stub; None if the stub does not parse."""
    try:
        tree = module_of(stub)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    functions = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    takes = functions[-1].args if functions else ast.arguments([], [], None, [], [], None, [])
    ordered = [one.arg for one in (*takes.posonlyargs, *takes.args)]
    named = {one.arg: default is None for one, default in zip(takes.kwonlyargs, takes.kw_defaults, strict=True)}
    named |= {name: at < len(ordered) - len(takes.defaults) for at, name in enumerate(ordered)}
    variadic = None if takes.vararg is None else takes.vararg.arg
    closed = takes.kwarg is not None and _rules_out(takes.kwarg)
    return Parameters(
        positional=tuple(ordered),
        names=frozenset(named if variadic is None else [*named, variadic]),
        required=frozenset(name for name, required in named.items() if required),
        variadic=variadic,
        extra=takes.kwarg is not None and not closed,
        closed=closed,
    )


def is_valid(stub: str) -> bool:
    """Return whether the stub parses. A broken one would blind the checker for the whole script."""
    return parameters_of(stub) is not None


def _rules_out(keywords: ast.arg) -> bool:
    """Return whether the type of `**keywords` forbids further keywords."""
    return keywords.annotation is not None and ast.unparse(keywords.annotation).rpartition('.')[2] == 'Never'


def _loosen_function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    if node.returns is not None:
        node.returns = _Loose().visit(node.returns)
    if node.args.kwarg is not None and _rules_out(node.args.kwarg):
        # The checker's message about an unknown keyword is better than that about a value of type `Never`.
        node.args.kwarg = None


class _Loose(ast.NodeTransformer):
    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        name = ast.unparse(node.value).rpartition('.')[2]
        if name in ('dict', 'Dict', 'Mapping', 'MutableMapping'):
            return expression_of('dict[str, _typing.Any]')
        if name == 'Union':
            return _any()
        if name in ('Literal', 'Annotated'):
            return node
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return expression_of('dict[str, _typing.Any]') if node.id == 'dict' else _any() if node.id == 'object' else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        parts = [part for part in _members(node) if ast.unparse(part) != 'None']
        if len(parts) > 1:
            return _any()
        self.generic_visit(node)
        return node


def _members(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_members(node.left), *_members(node.right)]
    return [node]


def _any() -> ast.expr:
    return expression_of('_typing.Any')
