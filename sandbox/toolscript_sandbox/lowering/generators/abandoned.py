"""Generators that are left before their end, and have something to clean up (`finally`, `with`) around a `yield`.

Python closes a generator when nobody has it any more. Nobody can tell that in Monty, so a `for` loop closes the
generator that it alone has, however it ends. What else is given such a generator and may leave it early is refused.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import all_of, children, index_of, walk

from .yields import Generating, yields_itself


def closing(program: Program) -> Program:
    """The program with the generators closed that its loops leave."""
    source = program.source
    cleaning = _cleaning(source.tree)
    if not cleaning:
        return program
    parents, loops = index_of(source.tree).parents, list[ast.For]()
    functions = {node.name: node for kind in _FUNCTIONS for node in all_of(source.tree, kind)}
    for call in all_of(source.tree, ast.Call):
        if _name(call.func) not in cleaning:
            continue
        parent = parents.get(call)
        if isinstance(parent, ast.For) and parent.iter is call:
            loops.append(parent)
        elif _may_be_left(call, parent, parents, functions):
            raise Refused([refusal(call, _LEFT)])
    inside = Counter(part for loop in loops for part in walk(loop) if isinstance(part, ast.For) and part is not loop)
    # Of loops that end at one place, the inner one is closed first.
    loops.sort(key=lambda loop: -loop.lineno)
    edits = [edit for n, loop in enumerate(loops) for edit in _closed(loop, f'_left_{n}', inside[loop], source)]
    return program.edited(edits)


def _cleaning(tree: ast.Module) -> set[str]:
    """The names of generator functions that have something to clean up where they are left."""
    if not all_of(tree, ast.Yield):
        return set()
    functions = (*all_of(tree, ast.FunctionDef), *all_of(tree, ast.AsyncFunctionDef))
    return {node.name for node in functions if not node.decorator_list and any(_cleans(part) for part in node.body)}


def _cleans(node: ast.AST) -> bool:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return False
    around = isinstance(node, (ast.With, ast.AsyncWith)) or (isinstance(node, ast.Try) and _minds(node))
    if around and any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in walk(node)):
        return True
    return any(_cleans(part) for part in children(node))


def _minds(node: ast.Try) -> bool:
    kinds = [handler.type for handler in node.handlers]
    names = {_name(kind) for kind in kinds if kind is not None}
    return bool(node.finalbody) or None in kinds or bool(names & {'BaseException', 'GeneratorExit'})


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ''


def _closed(node: ast.For, name: str, depth: int, source: Source) -> Iterator[Edit]:
    """The edits around a loop that stands in so many other ones."""
    indent = ' ' * (node.col_offset + depth)
    start, end = source.start(node), source.end((node.orelse or node.body)[-1])
    opening = f'{name} = {source.segment(node.iter)}{NEW_LINE}{indent}try:{NEW_LINE}{indent} '
    yield Edit(start, start, opening)
    yield source.replace(node.iter, name)
    first, last = node.lineno + 1, (node.orelse or node.body)[-1].end_lineno or node.lineno
    inside = source.lines_in_texts
    yield from (
        Edit(place, place, ' ')
        for line in range(first, last + 1)
        if line not in inside and (place := source.offset(line, 0)) < len(source.text)
    )
    yield Edit(end, end, f'{NEW_LINE}{indent}finally: {name}.close()')


def _may_be_left(
    call: ast.Call, parent: ast.AST | None, parents: dict[ast.AST, ast.AST], functions: dict[str, Generating]
) -> bool:
    """Whether whoever gets the generator may leave it before its end, and let go of it."""
    match parent:
        case ast.AsyncFor():
            return _is_left(parent)
        case ast.Call(func=ast.Name(id=name)) if name in functions:
            if not _takes_all(functions[name], parent, call):
                return True
            # Whoever leaves a generator leaves those that it goes over.
            return yields_itself(functions[name]) and _may_be_left(parent, parents.get(parent), parents, functions)
        case ast.For():
            return _is_left(parent)
        case ast.Call(func=func) if _name(func) in _WRAPPING:
            loop = parents.get(parent)
            return _name(func) in _LEAVING or (isinstance(loop, ast.For) and _is_left(loop))
        case ast.Assign(targets=[ast.Name(id=name)]):
            home = _function_around(parent, parents)
            return home is not None and not _is_closed(name, home)
        case _:
            return False


def _takes_all(function: Generating, call: ast.Call, generator: ast.expr) -> bool:
    """Whether a function of the snippet takes all that the generator gives it, or hands it on."""
    given = function.args
    if generator in call.args and not any(isinstance(part, ast.Starred) for part in call.args):
        place, names = call.args.index(generator), [part.arg for part in (*given.posonlyargs, *given.args)]
        return place >= len(names) or _is_closed(names[place], function)
    return True


def _function_around(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.AST | None:
    above = parents.get(node)
    while above is not None and not isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef)):
        above = parents.get(above)
    return above


def _is_closed(name: str, home: ast.AST) -> bool:
    """Whether a variable's generator is closed, used up or passed on in the function."""
    for node in walk(home):
        match node:
            case ast.Attribute(value=ast.Name(id=found), attr='close' | 'aclose') if found == name:
                return True
            case ast.Call(func=func, args=args) if _name(func) not in ('next', 'anext', *_LEAVING):
                if any(isinstance(part, ast.Name) and part.id == name for part in args):
                    return True
            case ast.For(iter=ast.Name(id=found)) | ast.AsyncFor(iter=ast.Name(id=found)) if found == name:
                if not _is_left(node):
                    return True
            case ast.Return(value=ast.Name(id=found)) | ast.YieldFrom(value=ast.Name(id=found)) if found == name:
                return True
            case ast.Starred(value=ast.Name(id=found)) | ast.comprehension(iter=ast.Name(id=found)) if found == name:
                return True
            case _:
                pass
    return False


def _is_left(loop: ast.For | ast.AsyncFor) -> bool:
    """Whether a loop may end before what it goes over does."""
    return any(isinstance(part, (ast.Break, ast.Return)) for body in loop.body for part in walk(body))


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LEAVING = frozenset(['next', 'anext', 'any', 'all', 'islice', 'takewhile', 'zip'])
_WRAPPING = _LEAVING | {'enumerate', 'map', 'filter', 'iter'}
_LEFT = (
    'A generator that is left before its end cleans up when Python finds it gone, which nothing tells here. '
    'Write `with contextlib.closing(...) as items:` around the loop (`async with contextlib.aclosing(...)`).'
)
