"""Correct and incorrect uses of the sandbox without an agent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any, assert_type

from opentelemetry.trace import NoOpTracer

import toolscript_sandbox as ts


class Offered:
    def get(self, name: str, /) -> ts.Function | None:
        return ts.Function(name, f'async def {name}(n: int) -> int: ...')

    def hint(self, name: str, /) -> str | None:
        return None


async def add_one(call: ts.Call) -> Any:
    if call.function == 'wait':
        raise ts.Deferred({'because': 'somebody has to decide'})
    if not call.args:
        raise ts.ToolError('ValueError', 'nothing to add to')
    return call.args[0] + 1


def not_awaited(call: ts.Call) -> int:
    """An invalid dispatch function."""
    return call.id


async def store(state: bytes, ended: Sequence[ts.CallRecord]) -> None:
    """Accept a state."""


functions: ts.Functions = Offered()
save: ts.Checkpoint = store
dispatch: ts.Dispatch = add_one


def reported(outcome: ts.Outcome) -> str:
    match outcome:
        case ts.Completed():
            assert_type(outcome.calls, tuple[ts.CallRecord, ...])
            assert_type(outcome.name, str | None)
            return ts.truncate(outcome.value, max_chars=100, name=outcome.name)
        case ts.Suspended():
            assert_type(outcome.state, bytes)
            assert_type(outcome.waiting, tuple[ts.Waiting, ...])
            return str(len(outcome.state))
        case ts.Failed():
            assert_type(outcome.error, ts.SnippetError)
            return outcome.error.message


files = ts.HostFiles({'/data': ts.Folder('reports')}, ts.FileLimits())


async def run(sandbox: ts.Sandbox) -> None:
    async with sandbox.session(
        limits=ts.Limits(max_calls=3), frozen_clock=ts.FrozenClock(datetime.now(UTC), b'seed')
    ) as session:
        assert_type(session, ts.Session)
        outcome = await session.run('await add(1)', functions, dispatch, tracing=ts.Tracing(NoOpTracer()))
        assert_type(outcome, ts.Outcome)
        assert_type(await session.check('await add(1)', functions), ts.Failed | None)
        assert_type(await session.dump(1_000), ts.SavedSession | None)
        if isinstance(outcome, ts.Suspended):
            await session.resume(outcome.state, functions, dispatch)
            await session.resume('state', functions, dispatch)  # type: ignore
            await session.resume(outcome.state, functions, dispatch, checkpoint=save)
        await session.run('1 + 1')  # type: ignore
        await session.run('1 + 1', functions, not_awaited)  # type: ignore
        await session.run('1 + 1', {}, dispatch)  # type: ignore
    assert_type(files.read(PurePosixPath('/data/a')), bytes)
    files.read('/data/a')  # type: ignore
    sandbox.session(limit=ts.Limits())  # type: ignore
    ts.Sandbox(4)  # type: ignore
    ts.Sandbox(workers='4')  # type: ignore


ts.check_folders({'/data': ts.Folder('reports')})
ts.check_folders({'/data': 'reports'})  # type: ignore
ts.Call(1, 'add', [1], {})  # type: ignore
ts.Function('add')  # type: ignore

status: ts.Status = 'finished'
no_status: ts.Status = 'done'  # type: ignore
