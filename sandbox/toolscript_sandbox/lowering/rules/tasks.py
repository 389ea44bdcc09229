"""Rules for `asyncio`.

Monty has coroutines, `await`, `gather` and `sleep`. A snippet that needs no more runs on these alone. One that makes
tasks (or locks, queues, deadlines: anything for which it matters who goes on when) gets the guest's `asyncio` instead,
whose tasks the host takes from turn to turn: it is opened before the snippet's first statement, and closed behind the
last, once what was started has ended.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.parts import is_host_call, keyword, piece, sequential
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Rewriter, named
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import all_of, index_of


def needs_tasks(tree: ast.Module, scene: Scene, loaded: Collection[str]) -> bool:
    """Whether the snippet needs the guest's `asyncio`. `loaded` are the guest modules that the session has."""
    index = index_of(tree)
    kinds = index.kinds
    if 'tasks' in loaded and (any(kind in kinds for kind in _ASYNCHRONOUS) or scene.names.used & scene.defined):
        return True
    if ast.AsyncWith in kinds:
        return True
    if index.attributes & _LOOP_METHODS:
        return True
    if not scene.may_name('asyncio'):
        return False
    suspects = [*all_of(tree, ast.Attribute), *all_of(tree, ast.Name)]
    return any(_is_beyond_monty(node, index.parents, ast.Try in kinds, scene) for node in suspects)


def _is_beyond_monty(
    node: ast.Attribute | ast.Name, parents: dict[ast.AST, ast.AST], tries: bool, scene: Scene
) -> bool:
    member = scene.member(node)
    if member is None or member[0] != 'asyncio' or not isinstance(node.ctx, ast.Load):
        return False
    call = parents.get(node)
    if member[1] not in _MONTY or not (isinstance(call, ast.Call) and call.func is node):
        return True
    if member[1] == 'run':
        return False
    if not isinstance(parents.get(call), ast.Await) or (member[1] == 'sleep' and len(call.args) != 1):
        return True
    return member[1] == 'gather' and (bool(call.keywords) or (tries and not _gathers_calls(call, scene)))


def _gathers_calls(call: ast.Call, scene: Scene) -> bool:
    """Whether nothing but calls of the host is gathered."""
    return all(_is_call(argument, scene) for argument in call.args)


def _is_call(node: ast.expr, scene: Scene) -> bool:
    if isinstance(node, ast.Starred) and isinstance(node.value, (ast.ListComp, ast.GeneratorExp)):
        return _is_call(node.value.elt, scene)
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return False
    return scene.function(node.func.id) is not None


def awaited(node: ast.Await, r: Rewriter) -> str | None:
    """`await x`, where x may be a task."""
    if not r.scene.tasks or _is_coroutine(node.value, r):
        return None
    return f'await {piece(r, "tasks", "awaited")}({r.text(node.value)})'


def _is_coroutine(node: ast.expr, r: Rewriter) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if is_host_call(node, r) or _is_native_gather(node, r) or r.scene.member(node.func) in _COROUTINES:
        return True
    if not isinstance(node.func, ast.Name):
        return False
    return any(isinstance(part, ast.AsyncFunctionDef) and part.name == node.func.id for part in r.source.tree.body)


def _is_native_gather(node: ast.Call, r: Rewriter) -> bool:
    if r.scene.tasks:
        # Tasks that are ready start before what is gathered now.
        return False
    awaits = isinstance(r.parent(node), ast.Await)
    plain = r.scene.member(node.func) == ('asyncio', 'gather') and not node.keywords
    return awaits and plain and _gathers_calls(node, r.scene)


def _gather(node: ast.Call, r: Rewriter) -> str | None:
    if r.scene.member(node.func) != ('asyncio', 'gather'):
        return None
    parts = [_awaitable(argument, r) for argument in node.args]
    settle = keyword(node, 'return_exceptions')
    if not r.scene.tasks:
        return (
            None
            if parts == [r.text(argument) for argument in node.args]
            else f'{r.text(node.func)}({", ".join(parts)})'
        )
    if _is_native_gather(node, r):
        return f'{piece(r, "tasks", "asyncio")}.gather({", ".join(parts)})'
    if settle is not None:
        parts.append(f'return_exceptions={r.text(settle)}')
    return f'{piece(r, "waiting", "gather")}({", ".join(parts)})'


def native_gather(node: ast.Attribute, r: Rewriter) -> bool:
    """Whether the node names Monty's own `gather`."""
    call = r.parent(node)
    return isinstance(call, ast.Call) and call.func is node and _is_native_gather(call, r)


def _awaitable(node: ast.expr, r: Rewriter) -> str:
    """What is gathered; a call that needs no `await` becomes something that is waited for."""
    if sequential(node, r):
        return f'{piece(r, "coroutines", "value")}({r.text(node)})'
    if isinstance(node, ast.Starred) and isinstance(node.value, (ast.ListComp, ast.GeneratorExp)):
        made = node.value
        if sequential(made.elt, r):
            # The comprehension makes the calls one by one; gather only collects what they returned.
            return f'*[{piece(r, "coroutines", "value")}(_done) for _done in {r.text(made)}]'
    return r.text(node)


def _run(node: ast.Call, r: Rewriter) -> str | None:
    """`asyncio.run(main())` where the script itself can wait."""
    runs = r.scene.member(node.func) == ('asyncio', 'run')
    on_loop = isinstance(node.func, ast.Attribute) and node.func.attr == 'run_until_complete'
    if not (runs or on_loop) or len(node.args) < 1 or not r.can_await(node):
        return None
    r.scene.note('Awaited the coroutine: an event loop is running already.')
    if not r.scene.tasks:
        return f'(await ({r.text(node.args[0])}))'
    waits = piece(r, 'tasks', 'run' if runs else 'awaited')
    return f'(await {waits}({r.text(node.args[0])}))'


def with_loop(program: Program) -> Program:
    """The snippet between the start and the end of the guest's loop."""
    source, scene, name = program.source, program.scene, program.scene.result
    if not scene.tasks or not source.tree.body:
        return program
    version = guest('tasks')
    assert version is not None
    scene.pieces.add('tasks')
    indented = [Edit(place, place, ' ') for place in _lines_of(source)]
    first = indented[0].start
    indented[0] = Edit(first, first, f'await {version.prefixed("opened")}(){NEW_LINE}try:{NEW_LINE} ')
    end = source.end(source.tree.body[-1])
    closing = [
        f'{NEW_LINE}except BaseException:',
        f'{NEW_LINE} await {version.prefixed("abandoned")}()',
        f'{NEW_LINE} raise',
        f'{NEW_LINE}finally: await {version.prefixed("finished")}()',
        '' if name is None else f'{NEW_LINE}{name}',
    ]
    return program.edited([*indented, Edit(end, end, ''.join(closing))])


def _lines_of(source: Source) -> list[int]:
    """Where lines begin, from the first statement on, but for those that a text of several lines goes on in."""
    first, last = source.tree.body[0], source.tree.body[-1]
    marks = first.decorator_list if isinstance(first, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else []
    begin, end = min([first.lineno, *(mark.lineno for mark in marks)]), last.end_lineno or last.lineno
    return [source.offset(line, 0) for line in range(begin, end + 1) if line not in source.lines_in_texts]


_ASYNCHRONOUS = (ast.Await, ast.AsyncFor, ast.AsyncWith, ast.AsyncFunctionDef)
_MONTY = frozenset(['gather', 'sleep', 'run', 'iscoroutine'])
"""What Monty has itself."""
_COROUTINES = {('asyncio', name) for name in ('sleep', 'wait', 'wait_for', 'to_thread')}
_LOOP_METHODS = frozenset(['run_until_complete', 'run_in_executor', 'call_soon', 'call_later'])

TASK_RULES = (named(_run, 'run', 'run_until_complete'), named(_gather, 'gather'))
