"""A `main` that nothing calls."""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.source import NEW_LINE, Edit
from toolscript_sandbox.text.syntax import all_of


def with_main_called(program: Program) -> Program:
    """The snippet with a call of its main function at the end, if it defines one and does nothing else."""
    source, scene = program.source, program.scene
    main = _main(source.tree)
    if main is None or any(node.id == main.name for node in all_of(source.tree, ast.Name)):
        return program
    call = f'await {main.name}()' if isinstance(main, ast.AsyncFunctionDef) else f'{main.name}()'
    scene.note(f'Called {main.name}(), which nothing called.')
    end = source.end(source.tree.body[-1])
    return program.edited([Edit(end, end, f'{NEW_LINE}{call}')])


def _main(tree: ast.Module) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    if not all(isinstance(node, _PASSIVE) or _is_text(node) for node in tree.body) or not tree.body:
        return None
    last = tree.body[-1]
    functions = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    named = [node for node in functions if node.name in ('main', 'run', 'solve', 'execute', '_main')]
    for node in [*named, last]:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _needs_nothing(node.args):
            return node if node in named or isinstance(node, ast.AsyncFunctionDef) else None
    return None


def _needs_nothing(arguments: ast.arguments) -> bool:
    positional = len(arguments.posonlyargs) + len(arguments.args)
    return positional == len(arguments.defaults) and None not in arguments.kw_defaults


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


_PASSIVE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
