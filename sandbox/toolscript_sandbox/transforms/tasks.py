"""Tasks, locks, queues and deadlines of `asyncio`.

Monty has coroutines, `await`, `gather` and `sleep`, and a script that needs nothing else keeps them; locks and queues
let its coroutines wait. A script that creates tasks or sets deadlines uses the polyfill's tasks, which take more space
in a state: they are opened before its first statement and closed after the last, every `gather` creates tasks, and any
`await` may await a task.

It runs after the calls of tools, which start inside their tasks, and before the names of modules, some of which have
other polyfills if there are tasks.
"""

import ast
from types import MappingProxyType

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import MODULES
from toolscript_sandbox.language.names import polyfill
from toolscript_sandbox.language.refusals import Refused, refusal
from toolscript_sandbox.language.syntax import words

from .transform import Context, Renaming, Transform
from .tree import is_call_of, meaning, named, quoted, quoted_expression, set_changed


def uses_tasks(analysis: Analysis) -> bool:
    """Return whether the script needs more than Monty's own coroutines."""
    if polyfill('tasks', 'Future') in analysis.session.polyfills and (
        analysis.kinds & _ASYNCHRONOUS or not analysis.names.used.isdisjoint(analysis.session.callables)
    ):
        return True
    if not analysis.means_module('asyncio'):
        return False
    if not _TURNS.isdisjoint(analysis.meant) or not analysis.index.attributes.isdisjoint(_OF_LOOP):
        return True
    if not _WAITING.isdisjoint(analysis.meant) and (_gathers_within(analysis) or _cleans_up(analysis)):
        return True
    nodes = [*analysis.all(ast.Name), *analysis.all(ast.Attribute)]
    return any(meaning(node) in _NATIVE and _is_beyond_monty(node, analysis) for node in nodes)


def _gathers_within(analysis: Analysis) -> bool:
    """Return whether a gathered coroutine may gather: Monty then starts calls in another turn than Python."""
    gathers = [call for call in analysis.all(ast.Call) if is_call_of(call, 'asyncio.gather')]
    return len(gathers) > 1 and any(analysis.scopes.around(call) is not analysis.scopes.module for call in gathers)


def _is_beyond_monty(node: ast.AST, analysis: Analysis) -> bool:
    call = analysis.index.parents.get(node)
    if not (isinstance(call, ast.Call) and call.func is node):
        return True
    if not isinstance(analysis.index.parents.get(call), ast.Await):
        return True
    match call:
        case ast.Call(args=arguments) if meaning(node) == 'asyncio.sleep':
            return len(arguments) != 1
        case ast.Call(keywords=[ast.keyword(arg='return_exceptions', value=ast.Constant(value=True))]):
            return False
        case _:
            # If one coroutine fails and the error is handled, the others continue.
            return ast.Try in analysis.kinds and not all(_is_tool_call(argument) for argument in call.args)


def _is_tool_call(node: ast.expr) -> bool:
    if isinstance(node, ast.Starred) and isinstance(node.value, (ast.ListComp, ast.GeneratorExp)):
        node = node.value.elt
    return isinstance(node, ast.Call) and (meaning(node.func) or '').startswith('tools.')


_ASYNCHRONOUS = frozenset[type[ast.AST]]([ast.Await, ast.AsyncFor, ast.AsyncWith, ast.AsyncFunctionDef])
_NATIVE = frozenset(['asyncio.gather', 'asyncio.sleep'])
_OF_LOOP = frozenset(['create_task'])
_WAITING = words('BoundedSemaphore Event Lock PriorityQueue Queue Semaphore', of='asyncio')
"""Classes that coroutines wait for, with or without tasks."""
_UNTIMED = words(
    'ALL_COMPLETED CancelledError FIRST_COMPLETED FIRST_EXCEPTION QueueEmpty QueueFull TimeoutError get_event_loop '
    'get_running_loop iscoroutine',
    of='asyncio',
)
"""Names in scripts for which the order of turns does not matter."""
_TURNS = frozenset(
    f'asyncio.{name}' for name, provider in MODULES['asyncio'].providers.items() if provider == 'polyfill'
) - (_UNTIMED | _WAITING)


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
    """Return whether a task may see that an error of the script cancels it, after which Monty forgets the line."""
    handles_all = any(handler.type is None for node in analysis.all(ast.Try) for handler in node.handlers)
    return handles_all or any(node.finalbody for node in analysis.all(ast.Try)) or bool(_CLEANING & analysis.words)


_CLEANING = frozenset(['BaseException', 'CancelledError', '__aexit__'])


class SettledGather(Renaming):
    feature = '`gather` with `return_exceptions`, in scripts without tasks'
    names = MappingProxyType({'asyncio.gather': '_waiting__settled'})

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        gathers = (call for call in analysis.all(ast.Call) if call.keywords and is_call_of(call, 'asyncio.gather'))
        return any(True for _ in gathers) and not uses_tasks(analysis)


class LaterTasks(Transform):
    feature = '`await` in functions of scripts without tasks, to which a later script may pass a task'
    after = ('calls',)

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        return not uses_tasks(analysis) and any(_may_be_of_task(node, analysis) for node in analysis.all(ast.Await))

    def visit_Await(self, node: ast.Await) -> ast.AST:
        if not _may_be_of_task(node, self._analysis):
            return self.below(node)
        node.value = quoted_expression('_coroutines__ready(X)', node, X=self.expression(node.value))
        return set_changed(node)


def _may_be_of_task(node: ast.Await, analysis: Analysis) -> bool:
    is_value = isinstance(node.value, (ast.Name, ast.Attribute, ast.Subscript))
    return is_value and analysis.scopes.around(node) is not analysis.scopes.module


class Tasks(Renaming):
    feature = 'tasks, locks, queues and deadlines of asyncio'
    after = ('calls',)

    names = MappingProxyType({'asyncio.gather': '_waiting__gather', 'asyncio.sleep': '_asyncio__sleep'})

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        return uses_tasks(analysis)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._own_contexts = not context.analysis.sync_functions.isdisjoint(_OF_CONTEXT)

    def applied(self, tree: ast.Module) -> ast.Module:
        tree = self.below(tree)
        first, last = tree.body[0], tree.body[-1]
        # A script that checks a task's exception may check for a cancellation.
        cancels = [named('_asyncio__CancelledError', first)] if 'cancel' in self._analysis.words else []
        result = [last] if isinstance(last, ast.Expr) and isinstance(last.value, ast.Name) else []
        body = tree.body[:-1] if result else tree.body
        closing = _CLOSED if body and _cleans_up(self._analysis) else 'BODY\nawait _tasks__closed()'
        opening = quoted('await _tasks__opened(*CANCELS)', first, CANCELS=cancels)
        tree.body = [*opening, *quoted(closing, last, BODY=body), *result]
        return set_changed(tree)

    def visit_Await(self, node: ast.Await) -> ast.AST:
        value = node.value
        if is_call_of(value, 'asyncio.sleep') and isinstance(value, ast.Call) and len(value.args) == 1:
            value.args = [self.expression(value.args[0])]
            return set_changed(node)
        is_coroutine = isinstance(value, ast.Call) and self._is_coroutine(value.func)
        node = self.below(node)
        if not is_coroutine:
            node.value = quoted_expression('_tasks__awaited(X)', value, X=node.value)
            set_changed(node)
        return node

    def _is_coroutine(self, function: ast.expr) -> bool:
        """Return whether the function certainly returns a coroutine and not a task."""
        dotted = meaning(function) or ''
        if isinstance(function, ast.Attribute) and function.attr in _OF_CONTEXT:
            return not self._own_contexts
        if dotted or not isinstance(function, ast.Name):
            return dotted.startswith('tools.') or dotted in _COROUTINES
        owner = self._analysis.scopes.owner(function)
        bound = () if owner is None else owner.bound.get(function.id, ())
        return bool(bound) and all(isinstance(one, ast.AsyncFunctionDef) and not one.decorator_list for one in bound)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if meaning(node) == 'builtins.SystemExit':
            raise Refused([refusal(node, _NO_EXIT)])
        return super().visit_Name(node)


_NO_EXIT = (
    'SystemExit looks like a cancellation here: catch `asyncio.CancelledError`, and let a script end with its last '
    'line.'
)
_OF_CONTEXT = ('__aenter__', '__aexit__')
_COROUTINES = frozenset(f'asyncio.{name}' for name in ('sleep', 'wait', 'wait_for'))
