"""Calls at the top level, answered in place.

To await a call takes Monty two turns: the call becomes a future, then the script stops for the future. At the top level
nothing else of the script could run in between, so the call itself may wait for its value, which takes one turn.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from toolscript_sandbox.contract.functions import Functions
from toolscript_sandbox.lowering.snippet import Snippet
from toolscript_sandbox.text.bindings import all_bound_by
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import all_of, index_of, walk

from .deferred_calls import deferred, is_awaited

INLINE = '_now__'
"""Replaces `await ` before such a call. It is as long as that, so all positions stay the same."""


def inlined(snippet: Snippet, functions: Functions, known: Container[str]) -> str:
    """The code to run: the snippet's, with awaited calls of host functions at its top level marked as `INLINE`.

    Those that are not awaited in place are put off. `known` are the variables that it finds.
    """
    source = Source(snippet.code)
    variables = all_bound_by(walk(source.tree))
    read = {node.id for node in all_of(source.tree, ast.Name)}
    hosts = {name for name in read - variables if name not in known and is_awaited(name, functions)}
    if not hosts:
        return snippet.code
    at_once = {name for name in hosts if functions.get(name) is not None}
    calls = [] if snippet.tasks else list(_awaited_calls(source))
    edits = [Edit(start, start + len(INLINE), INLINE) for start, name in calls if name in at_once]
    return source.edited([*edits, *deferred(source, hosts)]).text


def _awaited_calls(source: Source) -> Iterator[tuple[int, str]]:
    """The places of `await name(` in the text, and the names."""
    for node in index_of(source.tree).outside(_ELSEWHERE):
        match node:
            case ast.Await(value=ast.Call(func=ast.Name(id=name))):
                start = source.start(node)
                if source.text.startswith(f'await {name}(', start):
                    yield start, name
            case _:
                pass


_ELSEWHERE = frozenset[type[ast.AST]](
    [ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.GeneratorExp, ast.JoinedStr]
)
"""Runs at another time, or (some f-strings, before Python 3.12) is not where the tree says."""
