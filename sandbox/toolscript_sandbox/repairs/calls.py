"""Rules for calls that Monty cannot make as they are written."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TypeAlias

from toolscript_sandbox.guestbook import guest, offers
from toolscript_sandbox.syntax import walk

from .natives import CONSTRUCTING_METHODS
from .rewriter import Node, Rewriter

CallRule: TypeAlias = Callable[[ast.Call, Rewriter], str | None]


def calls(node: Node, r: Rewriter) -> str | None:
    """The first rule that knows the call."""
    if not isinstance(node, ast.Call):
        return None
    return next((text for rule in _RULES if (text := rule(node, r)) is not None), None)


def piece(r: Rewriter, module: str, name: str) -> str:
    """The name of a guest's definition, which the snippet then gets."""
    version = guest(module)
    assert version is not None
    r.scene.pieces.add(module)
    return version.prefixed(name)


def _arguments(node: ast.Call, r: Rewriter, *, without: str = '') -> str:
    named = [keyword for keyword in node.keywords if keyword.arg is None or keyword.arg != without]
    parts = [r.text(argument) for argument in node.args]
    parts += [
        f'{keyword.arg}={r.text(keyword.value)}' if keyword.arg else f'**{r.text(keyword.value)}' for keyword in named
    ]
    return ', '.join(parts)


def _keyword(node: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in node.keywords if keyword.arg == name), None)


def _is_host_call(node: ast.AST, r: Rewriter) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and r.scene.function(node.func.id) is not None


def _calls_host(node: ast.AST, r: Rewriter) -> bool:
    return any(_is_host_call(part, r) for part in walk(node))


def _sequential(node: ast.expr, r: Rewriter) -> bool:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return False
    function = r.scene.function(node.func.id)
    return function is not None and function.sequential


# -- asyncio


def _unwrapped(node: ast.Call, r: Rewriter) -> str | None:
    """`create_task(x)`, `wait_for(x, 5)`, `shield(x)`: what is awaited is x."""
    if r.scene.member(node.func) not in _WRAPPERS or not node.args:
        return None
    r.scene.note(f'Awaited the call itself instead of `{ast.unparse(node.func)}`.')
    if _sequential(node.args[0], r):
        return f'{piece(r, "asyncio", "value")}({r.text(node.args[0])})'
    parent = r.parent(node)
    detached = isinstance(parent, ast.Expr) and r.scene.member(node.func) != ('asyncio', 'wait_for')
    if detached and r.can_await(node):
        return f'await ({r.text(node.args[0])})'
    r.scene.spawns = True
    return f'({r.text(node.args[0])})'


def _run(node: ast.Call, r: Rewriter) -> str | None:
    """`asyncio.run(main())` where the script itself can wait."""
    runs = r.scene.member(node.func) in _RUNNERS
    on_loop = isinstance(node.func, ast.Attribute) and node.func.attr == 'run_until_complete'
    if not (runs or on_loop) or len(node.args) < 1 or not r.can_await(node):
        return None
    r.scene.note('Awaited the coroutine: an event loop is running already.')
    return f'(await ({r.text(node.args[0])}))'


def _gather(node: ast.Call, r: Rewriter) -> str | None:
    if r.scene.member(node.func) != ('asyncio', 'gather'):
        return None
    settle = _keyword(node, 'return_exceptions')
    if settle is None and not any(_sequential(argument, r) for argument in node.args):
        return None
    parts = [_awaitable(argument, r) for argument in node.args]
    if settle is None or (isinstance(settle, ast.Constant) and not settle.value):
        return f'{r.text(node.func)}({", ".join(parts)})'
    return f'{piece(r, "asyncio", "gather_settled")}({", ".join(parts)})'


def _awaitable(node: ast.expr, r: Rewriter) -> str:
    if _sequential(node, r):
        return f'{piece(r, "asyncio", "value")}({r.text(node)})'
    if isinstance(node, ast.Starred) and isinstance(node.value, (ast.ListComp, ast.GeneratorExp)):
        made = node.value
        if _sequential(made.elt, r):
            # The comprehension makes the calls one by one; gather only collects what they returned.
            return f'*[{piece(r, "asyncio", "value")}(_done) for _done in {r.text(made)}]'
    return r.text(node)


# -- functions of the host inside builtins


def _mapped(node: ast.Call, r: Rewriter) -> str | None:
    """`map(get_user, ids)`: a builtin cannot wait for a function of the host, a comprehension can."""
    if not _is_builtin(node, 'map', r) or len(node.args) < 2 or node.keywords:
        return None
    function, *iterables = node.args
    if not _reaches_host(function, r):
        return None
    r.scene.note('Wrote `map` over a function of yours as a comprehension.')
    called = r.text(function) if isinstance(function, ast.Name) else f'({r.text(function)})'
    if len(iterables) == 1:
        return f'iter([{called}(_item) for _item in ({r.text(iterables[0])})])'
    zipped = ', '.join(r.text(iterable) for iterable in iterables)
    return f'iter([{called}(*_items) for _items in zip({zipped})])'


def _starmapped(node: ast.Call, r: Rewriter) -> str | None:
    if r.scene.member(node.func) != ('itertools', 'starmap') or len(node.args) != 2:
        return None
    function, pairs = node.args
    if not _reaches_host(function, r):
        return None
    return f'iter([({r.text(function)})(*_items) for _items in ({r.text(pairs)})])'


def _filtered(node: ast.Call, r: Rewriter) -> str | None:
    if not _is_builtin(node, 'filter', r) or len(node.args) != 2 or not _reaches_host(node.args[0], r):
        return None
    test, items = r.text(node.args[0]), r.text(node.args[1])
    return f'iter([_item for _item in ({items}) if ({test})(_item)])'


def _sorted_by_host(node: ast.Call, r: Rewriter) -> str | None:
    name = node.func.id if isinstance(node.func, ast.Name) else ''
    key = _keyword(node, 'key')
    if name not in _SORTERS or not _is_builtin(node, name, r) or key is None or len(node.args) != 1:
        return None
    if not _reaches_host(key, r) or _keyword(node, 'default') is not None:
        return None
    return f'{piece(r, "builtins", _SORTERS[name])}({_arguments(node, r)})'


def _reaches_host(function: ast.expr, r: Rewriter) -> bool:
    if isinstance(function, ast.Lambda):
        return _calls_host(function.body, r)
    if not isinstance(function, ast.Name):
        return False
    return r.scene.function(function.id) is not None or any(
        isinstance(part, ast.FunctionDef) and part.name == function.id and _calls_host(part, r)
        for part in walk(r.source.tree)
    )


def _is_builtin(node: ast.Call, name: str, r: Rewriter) -> bool:
    known = name in r.scene.names.bound or name in r.scene.known
    return isinstance(node.func, ast.Name) and node.func.id == name and not known


# -- iterators, methods, replacing, JSON


def _next(node: ast.Call, r: Rewriter) -> str | None:
    """`next((x for x in xs if ...), None)`: generators are lists in Monty, and `next` wants an iterator."""
    if not _is_builtin(node, 'next', r) or not node.args or not isinstance(node.args[0], ast.GeneratorExp):
        return None
    return f'next(iter([{_bare(node.args[0], r)}]){_rest(node.args[1:], r)})'


def _bare(generator: ast.GeneratorExp, r: Rewriter) -> str:
    text = r.inside(generator)
    return text[1:-1] if text.startswith('(') and text.endswith(')') else text


def _rest(arguments: list[ast.expr], r: Rewriter) -> str:
    return ''.join(f', {r.text(argument)}' for argument in arguments)


def _of_type(node: ast.Call, r: Rewriter) -> str | None:
    """`str.lower(text)`: the method of the object."""
    func = node.func
    if not (isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and node.args):
        return None
    shadowed = func.value.id in r.scene.names.bound or func.value.id in r.scene.known
    if (
        shadowed
        or func.value.id not in _TYPES
        or func.attr in CONSTRUCTING_METHODS
        or isinstance(node.args[0], ast.Starred)
    ):
        return None
    first, *others = node.args
    parts = [r.text(part) for part in others] + [f'{k.arg}={r.text(k.value)}' for k in node.keywords if k.arg]
    return f'({r.text(first)}).{func.attr}({", ".join(parts)})'


def _lacking_method(node: ast.Call, r: Rewriter) -> str | None:
    """`x.is_integer()` and other methods that Monty's types lack."""
    func = node.func
    if (
        not isinstance(func, ast.Attribute)
        or not offers('methods', func.attr)
        or r.scene.module(func.value) is not None
    ):
        return None
    if any(isinstance(part, ast.FunctionDef) and part.name == func.attr for part in walk(r.source.tree)):
        return None
    arguments = _arguments(node, r)
    return f'{piece(r, "methods", func.attr)}({r.text(func.value)}{", " if arguments else ""}{arguments})'


def _replacing(node: ast.Call, r: Rewriter) -> str | None:
    """`re.sub` with a function for the replacement."""
    if r.scene.member(node.func) in (('re', 'sub'), ('re', 'subn')):
        name = 'sub' if r.scene.member(node.func) == ('re', 'sub') else 'subn'
        replacement = node.args[1] if len(node.args) > 1 else _keyword(node, 'repl')
        if name == 'sub' and isinstance(replacement, (ast.Constant, ast.JoinedStr)):
            return None
        return f'{piece(r, "re", name)}({_arguments(node, r)})'
    func = node.func
    if not (isinstance(func, ast.Attribute) and func.attr == 'sub' and len(node.args) >= 2):
        return None
    if r.scene.module(func.value) is not None or not _is_function(node.args[0], r):
        return None
    return f'{piece(r, "re", "replaced")}({r.text(func.value)}, {_arguments(node, r)})'


def _is_function(node: ast.expr, r: Rewriter) -> bool:
    if isinstance(node, ast.Lambda):
        return True
    return isinstance(node, ast.Name) and any(
        isinstance(part, ast.FunctionDef) and part.name == node.id for part in walk(r.source.tree)
    )


def _dumped(node: ast.Call, r: Rewriter) -> str | None:
    if r.scene.member(node.func) != ('json', 'dumps') or (_keyword(node, 'default') or _keyword(node, 'cls')) is None:
        return None
    return f'{piece(r, "json", "dumps")}({_arguments(node, r)})'


def _compared(node: ast.Call, r: Rewriter) -> str | None:
    """`sorted(xs, key=cmp_to_key(f))`: instances cannot say how they compare in Monty."""
    key = _keyword(node, 'key')
    if not isinstance(key, ast.Call) or r.scene.member(key.func) != ('functools', 'cmp_to_key') or len(key.args) != 1:
        return None
    reverse = _keyword(node, 'reverse')
    tail = f', {r.text(reverse)}' if reverse is not None else ''
    merge = piece(r, 'functools', 'sorted_with')
    if _is_builtin(node, 'sorted', r) and len(node.args) == 1:
        return f'{merge}({r.text(node.args[0])}, {r.text(key.args[0])}{tail})'
    if isinstance(node.func, ast.Attribute) and node.func.attr == 'sort' and not node.args:
        items = r.text(node.func.value)
        return f'{items}.__setitem__(slice(None), {merge}({items}, {r.text(key.args[0])}{tail}))'
    return None


def _result_of_task(node: ast.Call, r: Rewriter) -> str | None:
    """`task.result()` for a task that the snippet made: wait for it."""
    func = node.func
    if not (isinstance(func, ast.Attribute) and func.attr == 'result' and not node.args):
        return None
    if not isinstance(func.value, ast.Name) or func.value.id not in set(_task_names(r)) or not r.can_await(node):
        return None
    return f'(await {func.value.id})'


def _task_names(r: Rewriter) -> Iterator[str]:
    for node in walk(r.source.tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func)):
                makes = isinstance(func, ast.Attribute) and func.attr == 'create_task'
                if makes or r.scene.member(func) in _WRAPPERS:
                    yield name
            case _:
                pass


def _asked(node: ast.Call, r: Rewriter) -> str | None:
    """`hasattr(x, 'keys')` and `bytes([1, 2])`."""
    if _is_builtin(node, 'hasattr', r) and len(node.args) == 2:
        return f'{piece(r, "builtins", "has_attribute")}({_arguments(node, r)})'
    if _is_builtin(node, 'bytes', r) and len(node.args) == 1 and not isinstance(node.args[0], ast.Constant):
        return f'{piece(r, "builtins", "bytes_of")}({_arguments(node, r)})'
    return None


def _of_own_class(node: ast.Call, r: Rewriter) -> str | None:
    """`len(queue)` and `sorted(versions)`, where a class of the snippet says what they mean."""
    if _is_builtin(node, 'len', r) and len(node.args) == 1 and defines(r, '__len__'):
        return f'{piece(r, "builtins", "length")}({_arguments(node, r)})'
    if _is_builtin(node, 'sorted', r) and len(node.args) == 1 and defines(r, '__lt__'):
        return f'{piece(r, "builtins", "sorted_by_less")}({_arguments(node, r)})'
    return None


def defines(r: Rewriter, method: str) -> bool:
    """Whether a class of the snippet has the method."""
    return any(isinstance(part, ast.FunctionDef) and part.name == method for part in walk(r.source.tree))


def _exit(node: ast.Call, r: Rewriter) -> str | None:
    """`exit()` at the top level ends the script."""
    leaves = any(_is_builtin(node, name, r) for name in ('exit', 'quit')) or r.scene.member(node.func) == (
        'sys',
        'exit',
    )
    if not leaves or not isinstance(r.parent(node), ast.Expr):
        return None
    at_top = not any(isinstance(outer, _FUNCTIONS) for outer in r.above(node))
    return 'return' if at_top else "raise RuntimeError('the script ended itself')"


def _plain_error(node: ast.Call, r: Rewriter) -> str | None:
    """`ValueError('a', 1)`: exceptions take one text in Monty."""
    name = node.func.id if isinstance(node.func, ast.Name) else ''
    if not (name.endswith(('Error', 'Exception')) and node.args) or name in r.scene.names.bound or node.keywords:
        return None
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return None
    if len(node.args) == 1:
        only = node.args[0]
        text = isinstance(only, ast.JoinedStr) or (isinstance(only, ast.Constant) and isinstance(only.value, str))
        return None if text else f'{r.text(node.func)}(str({r.text(only)}))'
    return f'{r.text(node.func)}(str(({", ".join(r.text(argument) for argument in node.args)})))'


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_TYPES = frozenset(['str', 'bytes', 'list', 'dict', 'set', 'int', 'float', 'tuple'])
_SORTERS = {'sorted': 'sorted_by', 'min': 'min_by', 'max': 'max_by'}
_WRAPPERS = {('asyncio', name) for name in ('create_task', 'ensure_future', 'wait_for', 'shield')}
_RUNNERS = {('asyncio', 'run')}
_RULES: tuple[CallRule, ...] = (
    _unwrapped,
    _run,
    _gather,
    _mapped,
    _starmapped,
    _filtered,
    _sorted_by_host,
    _next,
    _compared,
    _of_type,
    _result_of_task,
    _replacing,
    _lacking_method,
    _dumped,
    _asked,
    _of_own_class,
    _exit,
    _plain_error,
)
