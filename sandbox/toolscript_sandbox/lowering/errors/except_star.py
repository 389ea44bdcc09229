"""`except*`, which Monty's parser does not take."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import children


def parted(source: Source, node: ast.TryStar, number: int) -> Iterator[Edit]:
    """The edits by which each handler gets its part of the group; what they leave and raise goes on behind the last.

    One handler catches all, and asks a guest's object for each part. The conditions stand one column to the right of
    `except*`, the `try` of each handler two, the bodies where they stood.
    """
    version = guest('groups')
    assert version is not None
    column, star, error = node.handlers[0].col_offset, f'_star_{number}', f'_star_{number}_error'
    lines = [NEW_LINE + ' ' * (column + deeper) for deeper in range(_DEEPER + 2)]
    for leaving in _leaving([part for handler in node.handlers for part in handler.body], in_loop=False):
        raise Refused([refusal(leaving, _STAYS)])
    for place, handler in enumerate(node.handlers):
        first, start = handler.body[0], source.start(ast.copy_location(ast.Pass(), handler))
        on_own_line = first.lineno != handler.lineno
        if on_own_line and first.col_offset <= column + _DEEPER:
            raise Refused([refusal(first, _NARROW)])
        assert handler.type is not None
        kinds = source.segment(handler.type)
        caught = f'except BaseException as {error}:{lines[1]}{star} = {version.prefixed("Star")}({error})'
        opening = f'{"" if place else caught}{lines[1]}if {star}.takes(({kinds})):{lines[2]}try:'
        colon = source.text.index(':', source.end(handler.type)) + 1
        yield Edit(start, colon, opening if on_own_line else f'{opening}{lines[3]}')
        if handler.name is not None:
            glue = NEW_LINE + ' ' * first.col_offset if on_own_line else '; '
            yield Edit(source.start(first), source.start(first), f'{handler.name} = {star}.taken{glue}')
        for again in _bare(handler.body):
            yield source.replace(again, f'raise {star}.again()')
        closing = f'{lines[2]}except BaseException as {error}_{place}: {star}.failed({error}_{place})'
        if handler.name is not None:
            closing += f'{lines[2]}try: raise KeyError{lines[2]}except KeyError as {handler.name}: pass'
        if handler is node.handlers[-1]:
            closing += f'{lines[1]}if not {star}.ends(): raise'
        end = source.end(handler.body[-1])
        yield Edit(end, end, closing)


def _bare(body: Sequence[ast.AST]) -> Iterator[ast.Raise]:
    """The `raise`s of a handler that raise again what it handles."""
    for node in body:
        if isinstance(node, ast.Raise) and node.exc is None:
            yield node
        elif not isinstance(node, (*_FUNCTIONS, ast.ExceptHandler)):
            yield from _bare([part for part in children(node) if isinstance(part, (ast.stmt, ast.match_case))])


def _leaving(body: Sequence[ast.AST], *, in_loop: bool) -> Iterator[ast.stmt]:
    """Statements that leave a handler, which Python refuses."""
    for node in body:
        if isinstance(node, ast.Return) or (isinstance(node, (ast.Break, ast.Continue)) and not in_loop):
            yield node
        elif isinstance(node, (ast.stmt, ast.match_case, ast.ExceptHandler)) and not isinstance(node, _FUNCTIONS):
            yield from _leaving(children(node), in_loop=in_loop or isinstance(node, (ast.For, ast.AsyncFor, ast.While)))


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_STAYS = "'break', 'continue' and 'return' cannot appear in an `except*` block. Set a variable, and look at it behind."
_DEEPER = 2
_NARROW = 'The body of a handler must stand three columns further in than its `except*` here.'
