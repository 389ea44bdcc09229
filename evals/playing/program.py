"""An author's program and the tools that it calls."""

import ast
import builtins
from dataclasses import dataclass
from functools import cache

from toolscript_sandbox.language.syntax import module_of


@dataclass(frozen=True)
class Use:
    """One place in a program that calls a tool."""

    tool: str
    arguments: frozenset[str]
    """The names of its keyword arguments."""


@cache
def uses(plan: str) -> tuple[Use, ...]:
    """Return the tool calls of a program in the order written: calls of names that are neither its own nor Python's."""
    tree = module_of(plan)
    nodes = list(ast.walk(tree))
    own = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.name for node in nodes if isinstance(node, ast.AsyncFunctionDef)}
    calls = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    return tuple(
        Use(call.func.id, frozenset(keyword.arg for keyword in call.keywords if keyword.arg))
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id not in own and not hasattr(builtins, call.func.id)
    )


def tools_of(plan: str) -> list[str]:
    """Return the names of the tools that a program calls, each once."""
    return list(dict.fromkeys(use.tool for use in uses(plan)))


def is_single_call(plan: str) -> bool:
    """Returns whether the program calls one tool, once: not in a loop, a comprehension or its own function."""
    nodes = list(ast.walk(module_of(plan)))
    repeated = [inner for node in nodes if isinstance(node, _REPEAT) for inner in ast.walk(node)]
    tools = set(tools_of(plan))
    return len(uses(plan)) == 1 and not any(isinstance(node, ast.Name) and node.id in tools for node in repeated)


def answering(plan: str, function: str) -> str:
    """Return the program with its last value passed, as JSON, to a function that takes text."""
    last = module_of(plan).body[-1]
    lines = plan.splitlines()
    value = '\n'.join(lines[last.lineno - 1 :]).strip()
    return '\n'.join(['import json', *lines[: last.lineno - 1], f'await {function}(json.dumps({value}))'])


_REPEAT = (ast.For, ast.While, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp, ast.AsyncFunctionDef)
