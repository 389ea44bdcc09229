"""What is missing, as the key that it is: Monty's `KeyError` knows only a key's text, so that 3 and '3' look alike.

Only where a handler, or a context of the snippet's own, looks at what it was told of can that be seen. Then items are
asked for by a guest's function: in the bodies of `try` and `with`, and in functions. Elsewhere a subscript is as fast
as Monty has it, and so are those whose key is computed from numbers (`row[i - 1]`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import all_of, walk


def looks_at_keys(tree: ast.Module) -> bool:
    """Whether a handler may see the key that was missing."""
    return any(_sees(node) for node in all_of(tree, ast.ExceptHandler)) and any(True for _ in _asked(walk(tree)))


def _sees(node: ast.ExceptHandler) -> bool:
    if node.name is None or node.type is None or not _reads(node, node.name):
        return False
    kinds = {part.id for part in ast.walk(node.type) if isinstance(part, ast.Name)}
    # What a variable holds may be any of them.
    return bool(kinds & _SEEING) or any(kind.islower() for kind in kinds)


def _reads(handler: ast.ExceptHandler, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for body in handler.body for part in walk(body))


def with_keys(program: Program) -> Program:
    """The snippet with the items asked for in a way that keeps a missing key."""
    if not program.scene.keys:
        return program
    source = program.source
    places: list[ast.AST] = [part for node in all_of(source.tree, ast.Try) if node.handlers for part in node.body]
    places += [part for node in all_of(source.tree, ast.With) for part in node.body]
    places += [*all_of(source.tree, ast.FunctionDef), *all_of(source.tree, ast.AsyncFunctionDef)]
    places += all_of(source.tree, ast.Lambda)
    nodes = list(dict.fromkeys(part for place in places for part in walk(place)))
    edits = list(_edits(source, nodes))
    if edits:
        program.scene.pieces.add('missing_keys')
    return program.edited(edits)


def _edits(source: Source, nodes: Iterable[ast.AST]) -> Iterator[Edit]:
    version = guest('missing_keys')
    assert version is not None
    for node in _asked(nodes):
        if isinstance(node, ast.Subscript):
            word, value, opening = 'item', node.value, '['
        elif isinstance(node.func, ast.Attribute):
            word, value, opening = _TAKING[node.func.attr], node.func.value, f'.{node.func.attr}('
        else:
            continue
        start, behind, end = source.start(node), source.end(value), source.end(node)
        place = behind + len(opening) - 1
        if source.text[behind : place + 1] != opening or source.text[end - 1] not in ')]':
            continue
        yield Edit(start, start, f'{version.prefixed(word)}(')
        # The items of `grid[row, column]` are one key.
        first, last = ('(', ')') if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) else ('', '')
        yield Edit(behind, place + 1, f', {first}')
        yield Edit(end - 1, end, f'{last})')


def _asked(nodes: Iterable[ast.AST]) -> Iterator[ast.Subscript | ast.Call]:
    for node in nodes:
        match node:
            case ast.Subscript(ctx=ast.Load(), value=value, slice=key) if not _is_type(value) and _may_miss(key):
                yield node
            case ast.Call(func=ast.Attribute(attr='pop' | 'remove'), args=[key], keywords=[]) if _may_miss(key):
                yield node
            case _:
                pass


def _may_miss(key: ast.expr) -> bool:
    """Whether it may be a key, and no text."""
    if isinstance(key, ast.Constant):
        return not isinstance(key.value, str)
    if isinstance(key, (ast.Slice, ast.JoinedStr, ast.Starred, ast.UnaryOp, ast.BinOp)):
        return False
    parts = key.elts if isinstance(key, ast.Tuple) else []
    return not any(isinstance(part, (ast.Slice, ast.Starred)) for part in parts)


def _is_type(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and (value.id in _TYPES or (value.id[:1].isupper() and not value.id.isupper()))


_TYPES = frozenset(['list', 'dict', 'set', 'tuple', 'frozenset', 'type'])
_SEEING = frozenset(['KeyError', 'LookupError', 'Exception', 'BaseException'])
_TAKING = {'pop': 'taken', 'remove': 'removed'}
