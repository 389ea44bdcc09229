"""Correct and incorrect uses of the sandbox without an agent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any, assert_type

from opentelemetry.trace import NoOpTracer

from toolscript_sandbox import (
    Call,
    CallRecord,
    Checkpoint,
    Completed,
    Deferred,
    Dispatch,
    Failed,
    FileLimits,
    Folder,
    FrozenClock,
    Function,
    Functions,
    HostFiles,
    Limits,
    Outcome,
    Sandbox,
    SavedSession,
    Session,
    SnippetError,
    Status,
    Suspended,
    ToolError,
    Tracing,
    Waiting,
    check_folders,
    truncate,
)


class Offered:
    """Functions for scripts."""

    def get(self, name: str, /) -> Function | None:
        """Return the function of a name."""
        return Function(name, f'async def {name}(n: int) -> int: ...')

    def hint(self, name: str, /) -> str | None:
        """Return a hint for an unknown name."""
        return None


async def add_one(call: Call) -> Any:
    """Handle a call."""
    if call.function == 'wait':
        raise Deferred({'because': 'somebody has to decide'})
    if not call.args:
        raise ToolError('ValueError', 'nothing to add to')
    return call.args[0] + 1


def not_awaited(call: Call) -> int:
    """An invalid dispatch function."""
    return call.id


async def store(state: bytes, ended: Sequence[CallRecord]) -> None:
    """Accept a state."""


functions: Functions = Offered()
save: Checkpoint = store
dispatch: Dispatch = add_one


def reported(outcome: Outcome) -> str:
    """Match the outcome of a snippet."""
    match outcome:
        case Completed():
            assert_type(outcome.calls, tuple[CallRecord, ...])
            assert_type(outcome.name, str | None)
            return truncate(outcome.value, max_chars=100, name=outcome.name)
        case Suspended():
            assert_type(outcome.state, bytes)
            assert_type(outcome.waiting, tuple[Waiting, ...])
            return str(len(outcome.state))
        case Failed():
            assert_type(outcome.error, SnippetError)
            return outcome.error.message


files = HostFiles({'/data': Folder('reports')}, FileLimits())


async def run(sandbox: Sandbox) -> None:
    """Use a session from start to end."""
    async with sandbox.session(
        limits=Limits(max_calls=3), frozen_clock=FrozenClock(datetime.now(UTC), b'seed')
    ) as session:
        assert_type(session, Session)
        outcome = await session.run('await add(1)', functions, dispatch, tracing=Tracing(NoOpTracer()))
        assert_type(outcome, Outcome)
        assert_type(await session.check('await add(1)', functions), Failed | None)
        assert_type(await session.dump(1_000), SavedSession | None)
        if isinstance(outcome, Suspended):
            await session.resume(outcome.state, functions, dispatch)
            await session.resume('state', functions, dispatch)  # error
            await session.resume(outcome.state, functions, dispatch, checkpoint=save)
        await session.run('1 + 1')  # error
        await session.run('1 + 1', functions, not_awaited)  # error
        await session.run('1 + 1', {}, dispatch)  # error
    assert_type(files.read(PurePosixPath('/data/a')), bytes)
    files.read('/data/a')  # error
    sandbox.session(limit=Limits())  # error
    Sandbox(4)  # error
    Sandbox(workers='4')  # error


check_folders({'/data': Folder('reports')})
check_folders({'/data': 'reports'})  # error
Call(1, 'add', [1], {})  # error
Function('add')  # error

status: Status = 'finished'
no_status: Status = 'done'  # error
