"""Calls of tools: answered in place where nothing else could run, and put off where the script does not await them yet.

To await a call takes Monty two turns: the call becomes a future, then the script stops for the future. At the top level
nothing else of the script could run in between, so the call itself waits for its value, which takes one turn: `await `
becomes `_now__`, which is as long, so that every column stays.

A tool that is called starts at once in Monty. In Python a coroutine starts when it is awaited. So a call whose
coroutine goes elsewhere first is put off, and so are the calls of a tool that is used as a value.
"""

from __future__ import annotations

import ast
from typing import cast

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.text.syntax import parts_of

from .transform import Context, Transform
from .tree import Transformer, is_call_of, is_changed, meaning, quoted, quoted_expression, set_changed
from .writer import Patch

INLINE = '_now__'
"""The prefix of a call that is answered in place."""


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    calls = _Calls(context)
    tree = calls.below(tree)
    if calls.named:
        # Monty asks for a name once, and cannot in a function that a builtin calls, or in a generator.
        names = [quoted_expression('NAME', tree.body[0], NAME=name) for name in sorted(calls.named)]
        tree.body[:0] = quoted('[*NAMES]', tree.body[0], NAMES=names)
        set_changed(tree)
    return tree


def _needed(analysis: Analysis) -> bool:
    return any(dotted.startswith('tools.') for dotted in analysis.meant)


class _Calls(Transformer):
    def __init__(self, context: Context) -> None:
        self._context = context
        self._functions = context.analysis.functions
        self._inline = not context.uses_tasks
        """Whether a call may be answered in place."""
        self._is_sync = False
        """Whether what is visited runs where nothing is awaited."""
        self.named: set[str] = set()
        """The functions that are first named there."""

    def visit_Await(self, node: ast.Await) -> ast.AST:
        call = node.value
        if self._inline and isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and self._defers(call.func):
            self._context.patches.append(Patch(node.lineno, node.col_offset, INLINE))
        return self._with_awaited(node, 'value')

    def _in_await(self, node: ast.AST) -> ast.AST:
        """An expression whose value is awaited, maybe together with others."""
        match node:
            case ast.Call() if is_call_of(node, 'asyncio.gather') and not self._context.uses_tasks:
                # Among tasks, each call starts in a task of its own.
                return self._with_awaited(node, 'args')
            case ast.Call(func=ast.Name() as name) if self._defers(name):
                return self._arguments(node)
            case ast.Starred():
                return self._with_awaited(node, 'value')
            case ast.ListComp() | ast.GeneratorExp():
                return self._with_awaited(node, 'elt')
            case _:
                return cast('ast.AST', self.visit(node))

    def _with_awaited(self, node: ast.expr, awaited: str) -> ast.expr:
        """The node rewritten, where what one of its fields holds is awaited too."""
        changed = False
        for name in parts_of(type(node)):
            value: ast.AST | list[ast.AST] = getattr(node, name)
            found = list[ast.AST]()
            for part in value if isinstance(value, list) else [value]:
                new = self._in_await(part) if name == awaited else cast('ast.AST', self.visit(part))
                changed = changed or new is not part or is_changed(new)
                found.append(new)
            setattr(node, name, found if isinstance(value, list) else found[0])
        return set_changed(node) if changed else node

    def _arguments(self, node: ast.Call) -> ast.Call:
        func, node.func = node.func, ast.Constant(None)
        self.below(node)
        node.func = func
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        func = node.func
        if not (isinstance(func, ast.Name) and self._defers(func)):
            return self.below(node)
        self._arguments(node)
        self._note(func)
        name = func.id.removeprefix('_host_')
        new = quoted_expression(
            '_coroutines__later(LINE, NAME, F)', node, LINE=ast.Constant(node.lineno), F=func, NAME=ast.Constant(name)
        )
        assert isinstance(new, ast.Call)
        new.args += node.args
        new.keywords += node.keywords
        return new

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load) or not self._defers(node):
            return node
        self._note(node)
        name = node.id.removeprefix('_host_')
        return quoted_expression(
            '_coroutines__function(LINE, NAME, F)',
            node,
            LINE=ast.Constant(node.lineno),
            F=node,
            NAME=ast.Constant(name),
        )

    def _defers(self, node: ast.Name) -> bool:
        dotted = meaning(node)
        if dotted is None or not dotted.startswith('tools.'):
            return False
        function = self._functions.get(dotted[len('tools.') :])
        return function is not None and not function.sequential

    def _note(self, node: ast.Name) -> None:
        if self._is_sync:
            self.named.add(node.id)

    def _elsewhere(self, node: ast.AST, *, is_sync: bool | None = None) -> ast.AST:
        before, self._inline, self._is_sync = (
            (self._inline, self._is_sync),
            False,
            self._is_sync if is_sync is None else is_sync,
        )
        node = self.below(node)
        self._inline, self._is_sync = before
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._elsewhere(node, is_sync=True)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._elsewhere(node, is_sync=False)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._elsewhere(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return self._elsewhere(node, is_sync=True)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self._elsewhere(node, is_sync=True)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        # Before Python 3.12 the tree does not say where its parts are.
        return self._elsewhere(node)


CALLS = Transform('tool calls in one turn, and coroutines of tools that start when they are awaited', _apply, _needed)
