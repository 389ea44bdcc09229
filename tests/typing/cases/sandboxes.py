"""The sandbox without an agent, rightly and wrongly used."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any, assert_type

from opentelemetry.trace import NoOpTracer

from toolscript_sandbox import (
    MOST_BYTES,
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
    NameKind,
    NotSelfContained,
    Outcome,
    PlainValue,
    Sandbox,
    SandboxError,
    SavedSession,
    SelfContained,
    Serialized,
    Session,
    SnippetError,
    SpeculativeCall,
    Speculator,
    StateError,
    Stats,
    Status,
    Suspended,
    ToolError,
    Tracing,
    Unavailable,
    Unknown,
    Variable,
    Waiting,
    abandon,
    calls_made,
    can_be_loaded,
    check_folders,
    clean,
    defines,
    function_in,
    imported,
    infer_shape,
    reads,
    serialize,
    standalone,
    text_of,
    to_json,
    value_of,
    variables_of,
    view,
    wait_for_run_slot,
    wait_for_step_slot,
)


class Offered:
    """Functions for scripts."""

    def get(self, name: str, /) -> Function | None:
        """The function of a name."""
        return Function(name, f'async def {name}(n: int) -> int: ...')

    def hint(self, name: str, /) -> str | None:
        """What to say of a name that is none."""
        return None


async def add_one(call: Call) -> Any:
    """Do a call."""
    if call.function == 'wait':
        raise Deferred({'because': 'somebody has to decide'})
    if not call.args:
        raise ToolError('ValueError', 'nothing to add to')
    return call.args[0] + 1


def not_awaited(call: Call) -> int:
    """Is no dispatch."""
    return call.id


async def store(state: bytes, ended: Sequence[CallRecord]) -> None:
    """Take a state."""


functions: Functions = Offered()
save: Checkpoint = store
dispatch: Dispatch = add_one
assert_type(PlainValue([1]).value, Any)


def told(outcome: Outcome) -> str:
    """What came of a snippet."""
    match outcome:
        case Completed():
            assert_type(outcome.calls, tuple[CallRecord, ...])
            assert_type(outcome.name, str | None)
            return view(outcome.value, max_chars=100, name=outcome.name)
        case Suspended():
            assert_type(outcome.state, bytes)
            assert_type(outcome.waiting, tuple[Waiting, ...])
            return f'{calls_made(outcome.state)} calls, {can_be_loaded(outcome.state)}'
        case Failed():
            assert_type(outcome.error, SnippetError)
            return outcome.error.message


files = HostFiles({'/data': Folder('reports')}, FileLimits())


async def run(sandbox: Sandbox) -> None:
    """A session from its start to its end."""
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
    assert_type(await serialize({'a': 1}, MOST_BYTES), Serialized)
    assert_type(sandbox.stats, Stats)
    assert_type(await wait_for_run_slot(), None)
    wait_for_run_slot(3)  # error
    assert_type(await wait_for_step_slot(), None)
    wait_for_step_slot(3)  # error
    assert_type(await abandon([asyncio.create_task(wait_for_step_slot())], 0.5), None)
    await abandon([wait_for_step_slot()], 0.5)  # error
    assert_type(sandbox.start_ahead(), None)
    await sandbox.start_ahead()  # error
    sandbox.stats.checks = 3  # error
    sandbox.session(limit=Limits())  # error
    Sandbox(4)  # error
    Sandbox(workers='4')  # error


check_folders({'/data': Folder('reports')})
check_folders({'/data': 'reports'})  # error
Call(1, 'add', [1], {})  # error
Function('add')  # error

status: Status = 'finished'
no_status: Status = 'done'  # error
kind: NameKind = 'other'  # error
foresight = Speculator(lambda name: None, 10)
assert_type(foresight.written('await add(1)'), list[SpeculativeCall])
assert_type(defines('a = 1') | reads('a') | variables_of('a'), frozenset[str])
assert_type(function_in('def f(): pass', 'f'), ast.FunctionDef | ast.AsyncFunctionDef | None)
assert_type(imported('import csv'), dict[str, str])
assert_type(standalone('f', ['def f(): pass'], lambda name: False), SelfContained)
standalone('f', ['def f(): pass'])  # error
assert_type(clean('a') + text_of(3) + infer_shape([1]), str)
as_json = to_json({1, 2})
value_of(3, {})  # error
variable = Variable('a', 'int')
failures: list[type[Exception]] = [Unknown, NotSelfContained, SandboxError, StateError, ToolError, Unavailable]
