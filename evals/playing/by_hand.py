"""A program played by direct calls: the model calls next what the program waits for."""

import ast
import json
from collections import Counter
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import CodeType, SimpleNamespace
from typing import Any

from evals.playing.results import Result
from toolscript_sandbox.language.syntax import module_of


@dataclass(frozen=True)
class Called:
    """A call and its result, as shown in a request."""

    tool: str
    arguments: Mapping[str, Any]
    result: Result


@dataclass(frozen=True)
class Wants:
    """The calls that the program now waits for; all of them could be made concurrently."""

    calls: tuple[tuple[str, Mapping[str, Any]], ...]


@dataclass(frozen=True)
class Finished:
    value: Any


def play(plan: str, tools: Sequence[str], history: Sequence[Called]) -> Wants | Finished:
    """Run a program as far as the results so far allow.

    It is restarted each time with the results in the history, so that it remembers nothing that a request does not
    show. The k-th equal call gets the result of the k-th equal call.
    """
    table = _Table(history)
    names: dict[str, Any] = {tool: table.function(tool) for tool in tools} | {'asyncio': _ASYNCIO}
    exec(_compiled(plan), names)
    try:
        # Nothing in it really waits, so one step runs it to its end or to a missing result.
        names['_main']().send(None)
    except StopIteration as end:
        return Finished(end.value)
    except _Waiting:
        return Wants(tuple(table.wanted))
    raise AssertionError('the program waits for something that is no tool')


class _Waiting(BaseException):
    """A result is missing. Programs that catch `Exception` do not catch this."""


class _Table:
    def __init__(self, history: Sequence[Called]) -> None:
        self.wanted: list[tuple[str, Mapping[str, Any]]] = []
        self._results: dict[tuple[str, int], Called] = {}
        self._made = Counter[str]()
        seen = Counter[str]()
        for called in history:
            key = _key(called.tool, called.arguments)
            self._results[key, seen[key]] = called
            seen[key] += 1

    def function(self, tool: str) -> Any:
        async def call(**arguments: Any) -> Any:
            key = _key(tool, arguments)
            called = self._results.get((key, self._made[key]))
            self._made[key] += 1
            if called is None:
                self.wanted.append((tool, arguments))
                raise _Waiting
            if called.result.failed:
                raise RuntimeError(called.result.text)
            return called.result.value(is_list=tool in _LISTS)

        return call


async def _gather(*waiting: Awaitable[Any]) -> list[Any]:
    """Run each awaitable as far as possible, so that all missing results are requested together."""
    values = [await _outcome(one) for one in waiting]
    if any(isinstance(value, _Waiting) for value in values):
        raise _Waiting
    return values


async def _outcome(waiting: Awaitable[Any]) -> Any:
    try:
        return await waiting
    except _Waiting as waits:
        return waits


def _key(tool: str, arguments: Mapping[str, Any]) -> str:
    return f'{tool} {json.dumps(arguments, sort_keys=True)}'


@cache
def _compiled(plan: str) -> CodeType:
    """Return the program as the body of `_main`, which returns the value of its last line."""
    tree = module_of(plan)
    last = tree.body[-1]
    if isinstance(last, ast.Expr):
        tree.body[-1] = ast.copy_location(ast.Return(last.value), last)
    tree.body = [kept for node in tree.body if (kept := _without_asyncio(node))]
    main = module_of('async def _main():\n    pass').body[0]
    assert isinstance(main, ast.AsyncFunctionDef)
    main.body = tree.body
    return compile(ast.fix_missing_locations(ast.Module([main], [])), '<plan>', 'exec')


def _without_asyncio(node: ast.stmt) -> ast.stmt | None:
    """Return the statement without the import that would hide our `asyncio`."""
    if not isinstance(node, ast.Import):
        return node
    names = [alias for alias in node.names if alias.name != 'asyncio']
    return ast.copy_location(ast.Import(names), node) if names else None


_ASYNCIO = SimpleNamespace(gather=_gather)

_LISTS = frozenset((
    'list_regions', 'order_lines', 'orders_of', 'find_customers', 'find_products', 'low_stock', 'tickets_of',
    'open_tickets', 'refunds_of', 'reviews_of', 'list_people', 'list_events', 'free_slots', 'list_rooms',
    'label_mail', 'list_sites', 'list_days', 'daily_totals', 'list_alerts', 'list_experiments',
))  # fmt: skip
"""The tools that return lists. Some wires send a list of one item as just the item; a model knows that it is a list."""
