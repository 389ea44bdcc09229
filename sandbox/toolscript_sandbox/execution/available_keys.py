"""A look at the variables of a session after a snippet failed in it."""

from __future__ import annotations

import ast

from pydantic_monty import AsyncMontySession, MontyError, MontyRuntimeError

from toolscript_sandbox.language.snippet import Snippet
from toolscript_sandbox.language.source import Source
from toolscript_sandbox.language.syntax import walk
from toolscript_sandbox.messages.report import frame_of
from toolscript_sandbox.serialization.crossing import to_json

MOST_KEYS = 30


async def keys_at(error: MontyError, snippet: Snippet, worker: AsyncMontySession) -> list[str] | None:
    """The keys of the dict in which the failing line missed one; None where that cannot be told."""
    if not isinstance(error, MontyRuntimeError) or not isinstance(error.exception(), KeyError):
        return None
    container = _container(error, snippet)
    if container is None:
        return None
    try:
        keys = await worker.feed_run(f'list({container})[:{MOST_KEYS}]', skip_type_check=True)
    except MontyError:
        return None
    plain = to_json(keys)
    return [str(key) for key in plain]


def _container(error: MontyRuntimeError, snippet: Snippet) -> str | None:
    frame = frame_of(error)
    if frame is None or frame.function_name != '<module>':
        # What a function called its own is gone.
        return None
    source = Source(snippet.code)
    for node in walk(source.tree):
        if not isinstance(node, ast.Subscript) or not _is_still(node.value):
            continue
        if node.lineno <= frame.line <= (node.end_lineno or node.lineno) and _names_key(node, error):
            return source.segment(node.value)
    return None


def _names_key(node: ast.Subscript, error: MontyRuntimeError) -> bool:
    key = error.exception().args[:1]
    return not isinstance(node.slice, ast.Constant) or (node.slice.value,) == key or str(node.slice.value) == key[0]


def _is_still(node: ast.expr) -> bool:
    """Whether the expression only reads."""
    match node:
        case ast.Name():
            return True
        case ast.Subscript(value=value, slice=ast.Constant() | ast.Name()):
            return _is_still(value)
        case ast.Attribute(value=value):
            return _is_still(value)
        case _:
            return False
