"""Inspects the variables of a session between two scripts."""

import ast
import re
from collections.abc import Awaitable, Callable, Iterable
from itertools import islice
from typing import Any, NamedTuple, cast

from pydantic_monty import AsyncMontySession, MontyError, MontyRuntimeError

from toolscript_sandbox.contract.outcomes import Variable
from toolscript_sandbox.language.names import polyfill
from toolscript_sandbox.language.snippet import Snippet
from toolscript_sandbox.language.syntax import tree_of, walk
from toolscript_sandbox.messages.report import frame_of
from toolscript_sandbox.serialization.serialize import to_json

from .answers import placeholder

MAX_KEYS = 30


async def keys_at(error: MontyError, snippet: Snippet, worker: AsyncMontySession) -> list[str] | None:
    """Return the keys of the dict in which the failing line did not find one; None if unknown."""
    if not isinstance(error, MontyRuntimeError) or not isinstance(error.exception(), KeyError):
        return None
    container = _container(error, snippet)
    if container is None:
        return None
    try:
        keys = await worker.feed_run(f'list({container})[:{MAX_KEYS}]', skip_type_check=True)
    except (MontyError, RuntimeError, TypeError):
        # The worker died at this moment, or Python cannot build a key, such as a frozenset of instances.
        return None
    plain = to_json(keys)
    return [str(key) for key in plain]


def _container(error: MontyRuntimeError, snippet: Snippet) -> str | None:
    frame = frame_of(error)
    if frame is None or frame.function_name != '<module>':
        # The local variables of a function are gone.
        return None
    for node in walk(tree_of(snippet.code.text)):
        if not isinstance(node, ast.Subscript) or not _is_still(node.value):
            continue
        if node.lineno <= frame.line <= (node.end_lineno or node.lineno) and _names_key(node, error):
            return ast.get_source_segment(snippet.code.text, node.value)
    return None


def _names_key(node: ast.Subscript, error: MontyRuntimeError) -> bool:
    key = error.exception().args[:1]
    return not isinstance(node.slice, ast.Constant) or (node.slice.value,) == key or str(node.slice.value) == key[0]


def _is_still(node: ast.expr) -> bool:
    """Return whether the expression only reads."""
    match node:
        case ast.Name():
            return True
        case ast.Subscript(value=value, slice=ast.Constant() | ast.Name()):
            return _is_still(value)
        case ast.Attribute(value=value):
            return _is_still(value)
        case _:
            return False


_POLYFILL = 'coroutines'


def defers(text: str) -> bool:
    return f'{polyfill(_POLYFILL, "later")}(' in text or f'{polyfill(_POLYFILL, "function")}(' in text


def coroutines_in(result: Any) -> list[str]:
    """Return the functions whose coroutines are the result, or first items of it: they did not run."""
    values = cast('dict[str, Any]', result).values() if isinstance(result, dict) else result
    items = cast('Iterable[object]', values if isinstance(result, (dict, list)) else [result])
    texts = [item for item in islice(items, 100) if isinstance(item, str)]
    return [found[1] for text in texts if (found := _COROUTINE.fullmatch(text))]


_COROUTINE = re.compile(r'<coroutine object (\w+)>')


async def unawaited_calls(worker: AsyncMontySession) -> list[tuple[str, int]]:
    """Return the functions whose calls were not awaited, and the lines of the calls."""
    try:
        made, left = polyfill(_POLYFILL, '_made'), polyfill(_POLYFILL, 'left')
        found = await worker.feed_run(f'{left} = [*{made}]\n{made}.clear()\n{left}', skip_type_check=True)
    except MontyError:
        return []
    return [(str(name), int(line)) for name, line in to_json(found)]


class Seen(NamedTuple):
    """A variable of a session, with its size."""

    variable: Variable
    weight: int
    """The approximate size in bytes."""


async def seen(session: AsyncMontySession, names: Iterable[str]) -> list[Seen]:
    """Describe the variables, without unset ones."""
    lines = [
        f'try:\n {size_facts()}_all.append([{name!r}, *{size_facts()}({name})])\nexcept:\n pass'
        for name in sorted(names)
    ]
    try:
        found = to_json(await session.feed_run('\n'.join([f'{size_facts()}_all = []', *lines, f'{size_facts()}_all'])))
    except MontyError:
        # The session ran out of time or died, which the next script reports.
        return []
    return [
        Seen(Variable(str(name)[:_NAME], _CALLED.get(kind, str(kind))[:_NAME], length), weight)
        for name, kind, length, weight in found
        if kind not in _IMPORTED
    ]


async def shrink_dump(
    dump: bytes, variables: Iterable[Seen], max_bytes: int, load: Callable[[bytes], Awaitable[AsyncMontySession]]
) -> tuple[bytes, list[Seen]] | None:
    """Return a dump without the variables that are too large, and these variables; None if all of them are.

    Only a dump shows what a variable really takes, since others may share its contents. So variables are removed in
    another session, seemingly the largest first, and those that made no difference are put back.
    """
    heaviest_first = sorted(variables, key=lambda one: -one.weight)
    session, lighter, taken = await load(dump), dump, list[tuple[Seen, int]]()
    for group in [*([one] for one in heaviest_first[:_TRIES]), heaviest_first[_TRIES:]]:
        if len(lighter) <= max_bytes:
            break
        before = len(lighter)
        lighter = await _without(session, group)
        taken += [(one, before - len(lighter)) for one in group]
    if len(lighter) > max_bytes:
        return None
    large = [one for one, bytes_less in taken if bytes_less > max_bytes // 16]
    if len(large) < len(taken) and len(fuller := await _without(await load(dump), large)) <= max_bytes:
        return fuller, large
    return lighter, [one for one, _ in taken]


async def _without(session: AsyncMontySession, variables: Iterable[Seen]) -> bytes:
    """Return a dump in which these variables are host functions, like every unset name."""
    names = [one.variable.name for one in variables]
    await session.feed_run('None', inputs={name: placeholder(name) for name in names}, skip_type_check=True)
    return await session.dump()


def size_facts() -> str:
    """Return the source of the function that describes a variable."""
    return polyfill('keeping', 'size_facts')


_CALLED = {'type': 'class', 'NoneType': 'None'}
_IMPORTED = ('module', 'builtin_function_or_method')
_TRIES = 8
"""How many variables are removed one by one; the others are removed together."""
_NAME = 100
"""The maximum length at which the name of a variable or type is shown."""
