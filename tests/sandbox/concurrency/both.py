"""One program in Monty and in CPython, with the same slow tools, in virtual time."""

import ast
import asyncio
import builtins
import contextlib
import inspect
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.sandbox.tables import Table
from toolscript_sandbox import (
    Call,
    Completed,
    Deferred,
    Failed,
    Function,
    Limits,
    Outcome,
    Sandbox,
    Suspended,
    ToolError,
)
from toolscript_sandbox.language.syntax import uncollected
from toolscript_sandbox.serialization.serialize import to_json
from toolscript_sandbox.session import Session
from toolscript_sandbox.steps import SteppedSession, take_step

from .virtual_time import VirtualTime, run

STUBS = {
    'tool': 'async def tool(name: str, seconds: float = 1.0) -> str: ...\n',
    'fail': "async def fail(name: str, seconds: float = 1.0, kind: str = 'ValueError') -> str: ...\n",
    'stubborn': 'async def stubborn(name: str, seconds: float = 1.0) -> str: ...\n',
    'ask': 'async def ask(name: str, seconds: float = 1.0) -> str: ...\n',
}


TABLE = Table({name: Function(name, stub) for name, stub in STUBS.items()})


_LIMITS = Limits(max_calls=100_000, max_concurrent_calls=10_000, max_sleep_seconds=100_000)
"""Limits that these programs never reach, because CPython has none."""


@dataclass(frozen=True)
class Seen:
    """The outcome of a program."""

    value: Any
    stdout: str
    error: str | None
    started: tuple[str, ...]
    """The calls in the order in which they started."""
    log: tuple[str, ...]
    """Starts and ends of calls with their times; events at the same time have no order."""


class Tools:
    """Slow tools that log when they start, end and are cancelled."""

    def __init__(self, loop: VirtualTime) -> None:
        self._loop = loop
        self._log = list[tuple[str, str, str]]()

    async def tool(self, name: str, seconds: float = 1.0) -> str:
        self._write('start', name)
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            self._write('cancelled', name)
            raise
        self._write('end', name)
        return name

    async def fail(self, name: str, seconds: float = 1.0, kind: str = 'ValueError') -> str:
        await self.tool(name, seconds)
        raise getattr(builtins, kind)(name)

    async def stubborn(self, name: str, seconds: float = 1.0) -> str:
        with contextlib.suppress(asyncio.CancelledError):
            return await self.tool(name, seconds)
        return f'{name} all the same'

    async def ask(self, name: str, seconds: float = 1.0) -> str:
        """Require a decision, if the run asks for decisions."""
        return await self.tool(name, seconds)

    def _write(self, what: str, name: str) -> None:
        self._log.append((f'{self._loop.time():08.4f}', what, name))

    def seen(self, value: Any, printed: str, error: str | None) -> Seen:
        started = tuple(name for _, what, name in self._log if what == 'start')
        return Seen(value, printed, error, started, tuple(' '.join(entry) for entry in sorted(self._log)))


def in_python(code: str) -> Seen:
    """Run the program in CPython. It cancels the tasks that the program leaves behind, as `asyncio.run` does."""

    async def main(loop: VirtualTime) -> Seen:
        tools = Tools(loop)
        space: dict[str, Any] = {name: getattr(tools, name) for name in STUBS}
        printed, error, value = io.StringIO(), None, None
        with contextlib.redirect_stdout(printed):
            try:
                value = await _evaluated(code, space)
            except BaseException as raised:
                error = type(raised).__name__
            for task in sorted(_others(), key=lambda task: (len(task.get_name()), task.get_name())):
                task.cancel()
            while others := _others():
                await asyncio.wait(others)
                for task in others:
                    _ = task.cancelled() or task.exception()
        return tools.seen(to_json(value), printed.getvalue(), error)

    return run(main)


def _others() -> set['asyncio.Task[Any]']:
    return asyncio.all_tasks() - {t for t in [asyncio.current_task()] if t is not None}


async def _evaluated(code: str, space: dict[str, Any]) -> Any:
    with uncollected():
        # In CPython 3.11, finalizers that a garbage collection runs while `ast` builds its objects cause an error.
        tree = ast.parse(code.replace('asyncio.run(', 'await ('))
    last = tree.body[-1]
    if isinstance(last, ast.Expr):
        tree.body[-1] = ast.Assign([ast.Name('__value', ast.Store())], last.value)
    ast.fix_missing_locations(tree)
    made = eval(compile(tree, 'program', 'exec', ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), space)
    if inspect.isawaitable(made):
        await made
    return space.get('__value')


def in_monty(code: str, *, waits: Callable[[Call], bool] | None = None, patience: float | None = None) -> Seen:
    """Run the program in the sandbox. Calls that `waits` selects pause, and each resumes in a new session.

    With `patience`, it runs in steps, as in the workflow of a durable engine.
    """

    async def main(loop: VirtualTime) -> Seen:
        tools = Tools(loop)
        decided = set[int]()
        async with _session(loop, patience) as session:
            outcome = await session.run(code, TABLE, _dispatch(tools, decided, waits))
        while isinstance(outcome, Suspended):
            decided.add(outcome.waiting[-1].call.id)
            async with _session(loop, patience) as session:
                outcome = await session.resume(outcome.state, TABLE, _dispatch(tools, decided, waits))
        return _seen(outcome, tools)

    return run(main, frozenset({'_wait', 'in_place'}))


def _session(loop: VirtualTime, patience: float | None) -> Session:
    sandbox, ended = Sandbox.shared(), 0.0
    if patience is None:
        return sandbox.session(limits=_LIMITS)

    async def take(text: str) -> str:
        nonlocal ended
        # Steps read the real clock.
        request = json.loads(text)
        request |= {'since': 0.0, 'waited': max(request.get('waited', 0.0), loop.time() - ended)}
        result = await take_step(sandbox, json.dumps(request))
        ended = loop.time()
        return result

    return SteppedSession(sandbox, _LIMITS, take, patience=patience)


def _dispatch(tools: Tools, decided: set[int], waits: Callable[[Call], bool] | None) -> Any:
    async def dispatch(call: Call) -> Any:
        if waits is not None and call.id not in decided and waits(call):
            raise Deferred
        try:
            return await getattr(tools, call.function)(*call.args, **call.kwargs)
        except Exception as error:
            raise ToolError(type(error).__name__, ', '.join(map(str, error.args))) from error

    return dispatch


def _seen(outcome: Outcome, tools: Tools) -> Seen:
    if isinstance(outcome, Completed):
        return tools.seen(outcome.value, outcome.stdout, None)
    assert isinstance(outcome, Failed), outcome
    return tools.seen(None, outcome.stdout, outcome.error.type_name or outcome.error.message)
