"""Where a script cannot wait for the host, and what would wait there.

A call of a function that runs outside Monty suspends the script: a tool that is called without `await`, `time.sleep`,
a request of asyncio such as `create_task`, and what Python's own library computes for the script. Monty cannot suspend
inside a function that one of its builtins calls, inside most special methods, or inside default factories. Keys of
`sorted`, functions of `map`, and iterators of the script are written out (`transforms/waiting_iteration.py`); the rest
is refused before anything runs.

Which functions of the script wait is found by names: one that mentions what waits, and one that mentions such a one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from toolscript_sandbox.text.refusals import Refusal, refusal
from toolscript_sandbox.text.syntax import children

from .analysis import Analysis
from .dialect import MODULES


@dataclass
class Waiting:
    """What waits in a script."""

    analysis: Analysis
    functions: dict[str, str] = field(default_factory=dict[str, str])
    """The names of functions, methods and classes that wait, each with what it waits for."""

    def of(self, function: ast.expr) -> str | None:
        """What a function waits for that is given to a builtin; None if it does not."""
        if isinstance(function, ast.Lambda):
            return self.inside(function.body)
        return self._named(function)

    def inside(self, node: ast.AST) -> str | None:
        """What an expression or a statement waits for, without the functions that it defines."""
        if isinstance(node, (ast.Name, ast.Attribute)):
            found = self._named(node)
            if found is not None:
                return found
        for below in children(node):
            if not isinstance(below, _APART) and (found := self.inside(below)) is not None:
                return found
        return None

    def _named(self, node: ast.expr) -> str | None:
        dotted = getattr(node, 'means', None)
        if dotted is not None:
            return dotted.removeprefix('tools.') if _waits(dotted, self.analysis) else None
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ''
        return self.functions.get(name)


def _waits(dotted: str, analysis: Analysis) -> bool:
    module, _, name = dotted.rpartition('.')
    if module == 'tools':
        # The call of another one only makes a coroutine.
        function = analysis.functions.get(name)
        return function is not None and function.sequential
    if dotted in _REQUESTS:
        return True
    return module in MODULES and MODULES[module].providers.get(name) == 'host'


_APART = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_REQUESTS = frozenset(
    ['time.sleep', 'asyncio.create_task', 'asyncio.current_task', 'asyncio.ensure_future', 'asyncio.as_completed']
)


def _waiting_of(analysis: Analysis) -> Waiting | None:
    """What waits in a script; None where nothing does."""
    if not any(_waits(dotted, analysis) for dotted in analysis.meant):
        return None
    waiting = Waiting(analysis)
    defined = analysis.all(ast.FunctionDef)
    growing = bool(defined)
    while growing:
        growing = False
        for node in defined:
            if node.name not in waiting.functions and (found := _body(node, waiting)) is not None:
                names = [node.name]
                if node.name == '__init__' and isinstance(owner := analysis.index.parents.get(node), ast.ClassDef):
                    names.append(owner.name)
                waiting.functions.update(dict.fromkeys(names, found))
                growing = True
    return waiting


def _body(node: ast.FunctionDef, waiting: Waiting) -> str | None:
    return next((found for part in node.body if (found := waiting.inside(part)) is not None), None)


def _called_by_builtins(call: ast.Call, analysis: Analysis) -> ast.expr | None:
    """The function that a call gives to a builtin which calls it later."""
    dotted = getattr(call.func, 'means', None)
    word = _WORDS.get(dotted or '')
    if isinstance(call.func, ast.Attribute) and call.func.attr == 'sort' and dotted is None:
        # As a statement, it is written out; the last one is the result.
        around = analysis.index.parents.get(call)
        word = None if isinstance(around, ast.Expr) and around is not analysis.tree.body[-1] else 'key'
    if word is not None:
        return next((keyword.value for keyword in call.keywords if keyword.arg == word), None)
    return call.args[0] if dotted in _CALLING and call.args else None


_WORDS = {'dataclasses.field': 'default_factory', 'itertools.groupby': 'key'}
_CALLING = frozenset(
    ['collections.defaultdict', *(f'itertools.{name}' for name in ('dropwhile', 'filterfalse', 'starmap', 'takewhile'))]
)
_ABLE = frozenset(
    f'__{name}__'
    for name in (
        *('init', 'call', 'enter', 'exit', 'iter', 'next', 'aenter', 'aexit', 'aiter', 'anext'),
        *('lt', 'le', 'gt', 'ge'),
    )
)
"""Special methods that may wait."""


def waiting_refusals(analysis: Analysis) -> Iterator[Refusal]:
    """What would wait where a script cannot."""
    waiting = _waiting_of(analysis)
    if waiting is None:
        return
    for call in analysis.all(ast.Call):
        if _is_thread(call) and any(waiting.of(argument) == 'time.sleep' for argument in call.args):
            yield refusal(call, _NO_THREADS)
        function = _called_by_builtins(call, analysis)
        if function is not None and (waits_for := waiting.of(function)) is not None:
            yield refusal(function, f'{waits_for} cannot be called in a function that a builtin calls. {_LOOP}')
    for node in analysis.all(ast.GeneratorExp):
        around = analysis.index.parents.get(node)
        if isinstance(around, (ast.For, ast.comprehension, ast.Compare)) and (waits_for := waiting.inside(node)):
            yield refusal(node, f'{waits_for} cannot be called in a generator expression. Write a list: [...].')
    for node in analysis.all(ast.FunctionDef):
        waits_for = waiting.functions.get(node.name) and _body(node, waiting)
        if not waits_for:
            continue
        is_method = isinstance(analysis.index.parents.get(node), ast.ClassDef)
        if is_method and node.name.startswith('__') and node.name.endswith('__') and node.name not in _ABLE:
            yield refusal(
                node, f'{waits_for} cannot be called in {node.name}. Write a method, and call it by its name.'
            )


def _is_thread(call: ast.Call) -> bool:
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr == 'run_in_executor'
    return is_method or getattr(call.func, 'means', None) == 'asyncio.to_thread'


_NO_THREADS = (
    'There are no threads here, and time.sleep would let nothing else run. '
    'Write an `async def` function with `await asyncio.sleep(...)`.'
)
_LOOP = 'Write a loop or a comprehension, and call it there.'


def deadline_refusals(analysis: Analysis) -> Iterator[Refusal]:
    """The deadlines of a script that may be replayed: calls then take another time."""
    untimed = {
        call.func
        for call in analysis.all(ast.Call)
        if not any(keyword.arg in (None, 'timeout') for keyword in call.keywords)
    }
    for node in (*analysis.all(ast.Name), *analysis.all(ast.Attribute)):
        dotted = getattr(node, 'means', None)
        later = isinstance(node, ast.Attribute) and node.attr == 'call_later'
        if later or dotted in _TIMED or (dotted in _TIMEABLE and node not in untimed):
            yield refusal(node, _DEADLINE.format(name=(dotted or ast.unparse(node)).removeprefix('asyncio.')))


_TIMED = ('asyncio.wait_for', 'asyncio.timeout', 'asyncio.timeout_at')
_TIMEABLE = ('asyncio.wait', 'asyncio.as_completed')
_DEADLINE = (
    '{name} sets a deadline, and this script may be replayed, when calls take another time: '
    'wait without one, and give the functions that you call a timeout where they take one.'
)
