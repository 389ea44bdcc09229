"""An author's program and the tools that it calls. If nothing describes a result, a look at it: the program so far."""

import ast
import builtins
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from evals.playing.signature import Records, Signature
from toolscript.guards import fields, items
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
    return list(dict.fromkeys(use.tool for use in uses(plan)))


def is_single_call(plan: str) -> bool:
    """Return whether the program calls one tool, once: not in a loop, a comprehension or its own function."""
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


_MARK = '# What does {} return?'


def looked_at(code: str) -> str | None:
    start, _, rest = _MARK.partition('{}')
    return code.removeprefix(start).partition(rest)[0] if code.startswith(start) else None


def to_look_at(
    plan: str, shown: Mapping[str, Signature], records: Records, seen: Mapping[str, frozenset[str]]
) -> str | None:
    """Return the first tool of a program whose result must be seen before the program can be written.

    That is a tool without a description or a return type, or, if the program uses keys that no record has, one that may
    return them.
    """
    used = [use.tool for use in uses(plan) if use.tool in _used(plan)]
    waiting = [tool for tool in used if tool not in seen]
    untold = next((tool for tool in waiting if not shown[tool].tells_its_result), None)
    if untold is not None or not missing_keys(plan, shown, records, seen):
        return untold
    return next((tool for tool in waiting if shown[tool].is_open(records)), None)


def missing_keys(
    plan: str, shown: Mapping[str, Signature], records: Records, seen: Mapping[str, frozenset[str]]
) -> list[str]:
    """Return the keys that a program uses and that were neither declared nor seen."""
    declared = [shown[use.tool].keys(records) for use in uses(plan)]
    return sorted(_keys(plan).difference(*declared, *seen.values()))


def look(plan: str, tool: str, signature: Signature) -> str:
    """Return the program up to the first result of a tool, which becomes the result of the snippet."""
    arguments = next(use.arguments for use in uses(plan) if use.tool == tool)
    tree = _Looking(tool, arguments).visit(module_of(plan))
    names = sorted(arguments)
    given = ', '.join(f'{name}={name}' for name in names)
    start, wait = ('async def', 'await ') if signature.waits else ('def', '')
    body = '\n'.join(f'    {line}' for line in ast.unparse(tree).splitlines())
    return f"""\
{_MARK.format(tool)}
seen = []
{start} look({', '.join(names)}):
    seen.append({wait}{tool}({given}))
    raise LookupError('seen')
try:
{body}
except LookupError:
    pass
seen[0] if seen else None
"""


def keys_in(value: object) -> Iterator[str]:
    """Yield all keys in a JSON value, at any depth."""
    for key, inner in fields(value).items():
        yield key
        yield from keys_in(inner)
    for inner in items(value):
        yield from keys_in(inner)


class _Looking(ast.NodeTransformer):
    def __init__(self, tool: str, arguments: frozenset[str]) -> None:
        self.tool, self.arguments = tool, arguments

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        given = frozenset(keyword.arg or '' for keyword in node.keywords)
        if isinstance(node.func, ast.Name) and node.func.id == self.tool and given == self.arguments:
            return ast.copy_location(ast.Call(ast.Name('look', ast.Load()), node.args, node.keywords), node)
        return node


def _used(plan: str) -> set[str]:
    """Return the tools on whose results the program relies, not those only run or whose result is only the answer."""
    used = set[str]()
    for statement in ast.walk(module_of(plan)):
        if isinstance(statement, ast.stmt):
            nodes = list(_own_nodes(statement))
            passed_on = isinstance(statement, ast.Expr) and not any(isinstance(node, _LOOKS_INSIDE) for node in nodes)
            used |= set() if passed_on else {node.id for node in nodes if isinstance(node, ast.Name)}
    return used


def _own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement, without those of its inner statements."""
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, ast.stmt):
            yield from ast.walk(child)


_LOOKS_INSIDE = (ast.Subscript, ast.Compare, ast.BinOp, ast.Attribute)


def _keys(plan: str) -> set[str]:
    """Return the keys that a program reads and does not write itself."""
    read, written = set[str](), set[str]()
    for node in ast.walk(module_of(plan)):
        match node:
            case ast.Subscript(slice=ast.Constant(value=str(key)), ctx=ast.Load()):
                read.add(key)
            case ast.Call(func=ast.Attribute(attr='get'), args=[ast.Constant(value=str(key)), *_]):
                read.add(key)
            case ast.Subscript(slice=ast.Constant(value=str(key))):
                written.add(key)
            case ast.Dict(keys=keys):
                written |= {key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
            case _:
                pass
    return read - written
