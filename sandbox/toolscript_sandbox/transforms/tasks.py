"""Tasks, locks, queues and deadlines of `asyncio`.

Monty has coroutines, `await`, `gather` and `sleep`, and a script that needs no more keeps them. One that makes tasks,
or uses anything for which the order of turns matters, runs on the polyfill's tasks: these are opened before its first
statement and closed behind the last, every `gather` makes tasks, and every `await` may be of a task.

After the calls of tools, which start inside their tasks; before the names of modules, some of which mean something else
among tasks.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import MODULES
from toolscript_sandbox.language.refusals import Refused, refusal

from .transform import Context, Transform
from .tree import Transformer, is_call_of, meaning, placed, quoted, quoted_expression, set_changed


def uses_tasks(analysis: Analysis) -> bool:
    """Whether the script needs more than Monty's own coroutines."""
    kinds = analysis.kinds
    if 'tasks' in analysis.session.polyfills and (
        kinds & _ASYNCHRONOUS or not analysis.names.used.isdisjoint(analysis.session.callables)
    ):
        return True
    if not analysis.means_module('asyncio'):
        return False
    if not _TURNS.isdisjoint(analysis.meant) or not analysis.index.attributes.isdisjoint(_OF_LOOP):
        return True
    parents = analysis.index.parents
    nodes = [*analysis.all(ast.Name), *analysis.all(ast.Attribute)]
    return any(meaning(node) in _NATIVE and _is_beyond_monty(node, parents, analysis) for node in nodes)


def _is_beyond_monty(node: ast.AST, parents: dict[ast.AST, ast.AST], analysis: Analysis) -> bool:
    call = parents.get(node)
    if not (isinstance(call, ast.Call) and call.func is node and isinstance(parents.get(call), ast.Await)):
        return True
    if meaning(node) == 'asyncio.sleep':
        return len(call.args) != 1
    if call.keywords:
        return not _settles(call)
    # What failed beside others is handled, and the others run on.
    return ast.Try in analysis.kinds and not all(_is_tool_call(argument) for argument in call.args)


def _settles(call: ast.Call) -> bool:
    match call.keywords:
        case [ast.keyword(arg='return_exceptions', value=ast.Constant())]:
            return True
        case _:
            return False


def _is_tool_call(node: ast.expr) -> bool:
    if isinstance(node, ast.Starred) and isinstance(node.value, (ast.ListComp, ast.GeneratorExp)):
        node = node.value.elt
    return isinstance(node, ast.Call) and (meaning(node.func) or '').startswith('tools.')


_ASYNCHRONOUS = frozenset[type[ast.AST]]([ast.Await, ast.AsyncFor, ast.AsyncWith, ast.AsyncFunctionDef])
_NATIVE = frozenset(['asyncio.gather', 'asyncio.sleep'])
_OF_LOOP = frozenset(['call_later', 'call_soon', 'create_future', 'create_task', 'run_in_executor'])
_UNTIMED = (
    'ALL_COMPLETED CancelledError FIRST_COMPLETED FIRST_EXCEPTION QueueEmpty QueueFull TimeoutError get_event_loop '
    'get_running_loop iscoroutine new_event_loop set_event_loop'
)
"""Names for which the order of turns does not matter."""
_TURNS = frozenset(
    f'asyncio.{name}'
    for name, provider in MODULES['asyncio'].providers.items()
    if provider == 'polyfill' and name not in _UNTIMED.split()
)


def _needed(analysis: Analysis) -> bool:
    return uses_tasks(analysis) or ('asyncio.gather' in analysis.meant and bool(analysis.all(ast.keyword)))


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    if not context.uses_tasks:
        return _Settled().below(tree)
    tree = _Tasks(context).below(tree)
    first, last = tree.body[0], tree.body[-1]
    # Where a task's exception is looked at, a cancellation is one.
    cancels = [quoted_expression('_async_errors__CancelledError', first)] if 'cancel' in context.analysis.words else []
    result = [last] if isinstance(last, ast.Expr) and isinstance(last.value, ast.Name) else []
    body = tree.body[:-1] if result else tree.body
    closing = _CLOSED if body and _cleans_up(context.analysis) else 'BODY\nawait _tasks__closed()'
    opening = quoted('await _tasks__opened(*CANCELS)', first, CANCELS=cancels)
    tree.body = [*opening, *quoted(closing, last, BODY=body), *result]
    return set_changed(tree)


_CLOSED = """
try:
    BODY
except BaseException:
    await _tasks__closed()
    raise
finally:
    await _tasks__closed()
"""


def _cleans_up(analysis: Analysis) -> bool:
    """Whether a task may see that it is cancelled after an error of the script, whose line Monty then forgets."""
    tries = analysis.all(ast.Try)
    handlers = [handler.type for node in tries for handler in node.handlers]
    return (
        any(node.finalbody for node in tries)
        or any(kind is None or (meaning(kind) in _OF_CANCELLATION) for kind in handlers)
        or any(node.name == '__aexit__' for node in analysis.all(ast.AsyncFunctionDef))
    )


_OF_CANCELLATION = ('builtins.BaseException', 'asyncio.CancelledError')
_SETTLED = '_settling__settled(X)'


class _Settled(Transformer):
    """`gather(..., return_exceptions=True)` without tasks: what is gathered returns its exception."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node = self.below(node)
        if not is_call_of(node, 'asyncio.gather') or not _settles(node):
            return node
        (keyword,) = node.keywords
        node.keywords = []
        if isinstance(keyword.value, ast.Constant) and keyword.value.value:
            node.args = [self._argument(argument) for argument in node.args]
        return set_changed(node)

    def _argument(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.Starred(value=ast.ListComp() | ast.GeneratorExp() as made):
                made.elt = quoted_expression(_SETTLED, made.elt, X=made.elt)
                set_changed(made)
                return set_changed(node)
            case ast.Starred():
                node.value = quoted_expression('[_settling__settled(_one) for _one in X]', node, X=node.value)
                return set_changed(node)
            case _:
                return quoted_expression(_SETTLED, node, X=node)


class _Tasks(Transformer):
    def __init__(self, context: Context) -> None:
        self._analysis = context.analysis

    def visit_Await(self, node: ast.Await) -> ast.AST:
        value = node.value
        if is_call_of(value, 'asyncio.sleep') and isinstance(value, ast.Call) and len(value.args) == 1:
            value.args = [self.expression(value.args[0])]
            return set_changed(node)
        is_coroutine = self._is_coroutine(value)
        node = self.below(node)
        if not is_coroutine:
            node.value = quoted_expression('_tasks__awaited(X)', value, X=node.value)
            set_changed(node)
        return node

    def _is_coroutine(self, node: ast.expr) -> bool:
        """Whether the value is a coroutine for sure, and no task."""
        if not isinstance(node, ast.Call):
            return False
        dotted = meaning(node.func) or ''
        if dotted.startswith('tools.') or dotted in _COROUTINES:
            return True
        if not isinstance(node.func, ast.Name):
            return False
        owner = self._analysis.scopes.owner(node.func) if dotted == '' else None
        bound = () if owner is None else owner.bound.get(node.func.id, ())
        return bool(bound) and all(isinstance(one, ast.AsyncFunctionDef) and not one.decorator_list for one in bound)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if is_call_of(node, 'builtins.isinstance') and any(meaning(part) == 'asyncio.Task' for part in ast.walk(node)):
            raise Refused([refusal(node, _ONE_TYPE)])
        return self.below(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if meaning(node) == 'builtins.SystemExit':
            raise Refused([refusal(node, _NO_EXIT)])
        return self._named(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        found = self._named(node)
        return self.below(node) if found is node else found

    def _named(self, node: ast.Name | ast.Attribute) -> ast.AST:
        name = _AMONG_TASKS.get(meaning(node) or '')
        return node if name is None or not isinstance(node.ctx, ast.Load) else placed(ast.Name(name, ast.Load()), node)


_ONE_TYPE = 'Tasks and futures are of one type here: ask for asyncio.Future, or keep the tasks in a list of their own.'
_NO_EXIT = (
    'SystemExit cannot be told from a cancellation here: catch `asyncio.CancelledError`, '
    'and let a script end with its last line.'
)
_AMONG_TASKS = {'asyncio.gather': '_gathering__gather', 'asyncio.sleep': '_tasks__sleep'}
_COROUTINES = frozenset(f'asyncio.{name}' for name in ('sleep', 'to_thread', 'wait', 'wait_for'))

TASKS = Transform(
    'tasks, locks, queues and deadlines of asyncio',
    _apply,
    _needed,
    after=('calls',),
    probe='import asyncio\nasync def f(): return 1\nawait asyncio.create_task(f())',
)
