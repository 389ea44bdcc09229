"""Calls of tools: answered in place where nothing else could run, and deferred where the script awaits them later.

Awaiting a call takes Monty two turns: the call becomes a future, then the script waits for the future. At the top level
nothing else of the script could run in between, so the call itself waits for its value, which takes one turn: `await `
becomes `_now__`, which has the same length, so that columns do not change.

In Monty a tool starts as soon as it is called. In Python a coroutine starts when it is awaited. So a call whose
coroutine is not awaited at once is deferred, and so are the calls of a tool that is used as a value.
"""

import ast
from collections.abc import Iterator
from typing import TypeGuard

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.snippet import INLINE

from .transform import Context, Transform
from .tree import call_of, constant, is_call_of, meaning, named, quoted, set_changed
from .writer import Patch


class ToolCalls(Transform):
    feature = 'tool calls in one turn, and coroutines of tools that start when they are awaited'

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        return any(dotted.startswith('tools.') for dotted in analysis.meant)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._functions = context.analysis.functions
        self._awaited = set[ast.AST]()
        """Calls that are awaited where they are made."""
        self._inline = not context.uses_tasks
        """Whether a call may be answered in place."""
        self._is_sync = False
        """Whether the visited code is in a synchronous function."""
        self._named = set[str]()
        """The tools that are named in synchronous functions."""

    def applied(self, tree: ast.Module) -> ast.Module:
        tree = self.below(tree)
        if self._named:
            # Monty looks up a host name once, and cannot do so in a function that a builtin calls, or in a generator.
            names = [named(name, tree.body[0]) for name in sorted(self._named)]
            tree.body[:0] = quoted('[*NAMES]', tree.body[0], NAMES=names)
            set_changed(tree)
        return tree

    def visit_Await(self, node: ast.Await) -> ast.AST:
        call = node.value
        name = call.func if isinstance(call, ast.Call) else None
        if self._inline and name is not None and self._defers(name):
            # The name must follow the `await` after exactly one space.
            place = node.lineno, node.col_offset
            if (name.lineno, name.col_offset - len(INLINE)) == place:
                self._context.patches.append(Patch(*place, INLINE))
        self._awaited.update(self._awaited_in(call))
        return self.below(node)

    def _awaited_in(self, node: ast.expr) -> Iterator[ast.AST]:
        """Yield the calls that are awaited by this expression, directly or with `gather`."""
        match node:
            case ast.Call() if is_call_of(node, 'asyncio.gather') and not self._context.uses_tasks:
                # With tasks, each call starts in its own task.
                for argument in node.args:
                    yield from self._awaited_in(argument)
            case ast.Call():
                yield node
            case ast.Starred(value=one) | ast.ListComp(elt=one) | ast.GeneratorExp(elt=one):
                yield from self._awaited_in(one)
            case _:
                pass

    def visit_Call(self, node: ast.Call) -> ast.AST:
        func = node.func
        if not self._defers(func):
            return self.below(node)
        node.func = ast.Constant(None)
        self.below(node)
        node.func = func
        return node if node in self._awaited else self._put_off('_coroutines__later', func, node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._put_off('_coroutines__function', node, ast.Call(node, [], [])) if self._defers(node) else node

    def _put_off(self, polyfill: str, function: ast.Name, call: ast.Call) -> ast.Call:
        if self._is_sync:
            self._named.add(function.id)
        name = constant(function.id.removeprefix('_host_'), function)
        return call_of(polyfill, call, constant(function.lineno, function), name, function)

    def _defers(self, node: ast.expr) -> TypeGuard[ast.Name]:
        """Return whether the expression reads the name of an asynchronous tool."""
        dotted = meaning(node) or ''
        if not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and dotted.startswith('tools.')):
            return False
        function = self._functions.get(dotted.removeprefix('tools.'))
        return function is not None and not function.sequential

    def _elsewhere(self, node: ast.AST) -> ast.AST:
        """Visit code that runs later, or f-strings, whose parts have no positions before Python 3.12."""
        before = self._inline, self._is_sync
        self._inline = False
        if not isinstance(node, (ast.ClassDef, ast.JoinedStr)):
            self._is_sync = not isinstance(node, ast.AsyncFunctionDef)
        node = self.below(node)
        self._inline, self._is_sync = before
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _elsewhere
    visit_Lambda = visit_GeneratorExp = visit_JoinedStr = _elsewhere
