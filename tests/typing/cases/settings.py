"""Correct and incorrect settings of code mode, its limits, rules, folders, variables, functions and stores."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, assert_type

from pydantic_ai import Agent, RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.toolsets import AbstractToolset

import toolscript as ts
from toolscript.postgres import PostgresStore


@dataclass
class User:
    name: str


def name_of(ctx: RunContext[User]) -> str:
    return ctx.deps.name


tools = ts.FunctionToolset[User]()
in_code = ts.CodeModeToolset(
    tools,
    default_callers='both',
    catalog='append',
    catalog_tokens=4_000,
    limits=ts.Limits(max_script_seconds=10, max_memory_bytes=2**28, max_calls=100),
    snapshots=ts.Snapshots(key='keep it secret', old_keys=[b'older'], store=ts.SqliteStore('scripts.db')),
    sessions=ts.Sessions(ts.MemoryStore(), owner=name_of, wait=timedelta(seconds=3)),
    functions=ts.SavedFunctions(ts.SqliteStore(Path('functions.db')), scope='user', owner=name_of, approve=True),
    files=ts.Files(
        {'/data': 'reports', '/letters': ts.Folder('letters', writable=True)},
        scratch=ts.Scratch('scratch', owner=name_of),
    ),
    tool_errors='message',
    batching_hint_after=3,
    result_shapes=ts.ResultShapes(),
    rules=[ts.ToolRule(['delete_*', 'merge_*'], server='github', requires_approval=True)],
    sandbox=ts.Sandbox(workers=4, headers=lambda: {'Authorization': 'token'}),
)
assert_type(in_code, ts.CodeModeToolset[User])
as_toolset: AbstractToolset[User] = in_code
Agent('test', deps_type=User, toolsets=[in_code])
Agent('test', deps_type=int, toolsets=[in_code])  # error

ts.CodeModeToolset()  # error
ts.CodeModeToolset(tools, 'code')  # error
ts.CodeModeToolset(tools, default_callers='model')  # error
ts.CodeModeToolset(tools, catalog='hidden')  # error
ts.CodeModeToolset(tools, tool_errors='hide')  # error
ts.CodeModeToolset(tools, limits=10)  # error
ts.CodeModeToolset(tools, limit=ts.Limits())  # error
ts.CodeModeToolset(tools, files={'/data': 'reports'})  # error

capability = ts.CodeMode[User](
    search=ts.ToolSearchOptions(max_results=3), defer='auto', rules=[ts.ToolRule(hidden=True)]
)
as_capability: AbstractCapability[User] = capability
ts.CodeMode(defer='always')  # error
ts.CodeMode(search='ranked')  # error

ts.Limits(call=5)  # error
ts.Limits(max_calls='many')  # error
ts.Limits().max_calls = 5  # error

ts.ToolRule('delete_*', when=lambda tool: (tool.description or '').startswith('Delete'), timeout=1.5, max_calls=3)
ts.ToolRule('delete_*', 'github')  # error
ts.ToolRule(when=lambda tool: tool.descriptions)  # error
ts.ToolRule(allowed_callers='nobody')  # error

ts.CodeMode[User](
    flows=ts.Flows(rules=[ts.FlowRule(source=ts.ToolMatch(server='web'), arguments='to', then='refuse')], strict=True)
)
ts.FlowRule(sink=ts.ToolMatch('send', server='mail'), then='deny')  # error
ts.FlowRule(source='web')  # error

ts.Files(['reports'])  # error
ts.Folder()  # error
ts.Files(limits=ts.FileLimits(file_bytes=1_000, entries=10, seconds=1))
ts.FileLimits(seconds='1')  # error
ts.Scratch('scratch', max_bytes='1 GB')  # error
ts.Sessions(owner=lambda ctx: 3)  # error
ts.SavedFunctions(scope='team')  # error

ts.Snapshots(ttl=7)  # error
ts.EncryptionKey('2026', b'secret of the year 2026, long enough')
ts.Snapshots(key_service=lambda key_id: ts.EncryptionKey(key_id or '2026', 'a secret that is long enough for this'))
ts.Snapshots(key_service=lambda key_id: 'a secret')  # error


class Shelf:
    async def save(self, key: str, text: str, /) -> None:
        """Store a text."""

    async def load(self, key: str, /) -> str | None:
        """Load a text."""


class HalfOfAShelf:
    """Not a store, because it lacks `load`."""

    async def save(self, key: str, text: str, /) -> None:
        """Store a text."""


own: ts.SnapshotStore = Shelf()
ts.Snapshots(store=Shelf())
ts.Snapshots(store=HalfOfAShelf())  # error
ts.SavedFunctions(Shelf())  # error
claiming: list[ts.LockingStore] = [
    ts.MemoryStore(),
    ts.DirectoryStore(Path('scripts')),
    ts.SqliteStore('s.db'),
    PostgresStore('postgresql://'),
]
of_functions: list[ts.FunctionStore] = [
    ts.MemoryStore(),
    ts.DirectoryStore(Path('f')),
    ts.SqliteStore('f.db'),
    PostgresStore('postgresql://'),
]
batching: ts.BatchingStore = PostgresStore('postgresql://app@db/app', direct_url='postgresql://app@db/app')
clocked: ts.TimestampingStore = PostgresStore('postgresql://')
not_clocked: ts.TimestampingStore = ts.MemoryStore()  # error
not_batching: ts.BatchingStore = ts.MemoryStore()  # error
not_claiming: ts.LockingStore = Shelf()  # error


async def use(functions: ts.SavedFunctions, store: ts.FunctionStore, claims: ts.LockingStore) -> None:
    assert_type(await functions.saved('ada'), list[ts.SavedFunction])
    assert_type((await functions.versions('top', 'ada'))[0].code, str)
    assert_type(await functions.delete('top'), int)
    await functions.delete(3)  # error
    assert_type(await store.all_versions('ada', 'top'), Mapping[int, str])
    assert_type(claims.lock('key'), AbstractAsyncContextManager[bool])
    assert_type(ts.DirectoryStore(Path('scripts')).forget_old(), int)


observed: ts.ResultShapes = ts.ResultShapes.loads(ts.ResultShapes().dumps())
spec: dict[str, Any] = {'limits': {'max_calls': 3}}
from_spec: AbstractCapability[Any] = ts.CodeMode.from_spec(limits={'max_calls': 3})
failures: list[type[Exception]] = [ts.LockLost, ts.ScriptLocked]
warned: list[type[Warning]] = [
    ts.CodeModeWarning,
    ts.SnapshotKeyWarning,
    ts.ToolNameWarning,
    ts.ToolRuleWarning,
    ts.ToolSearchWarning,
]
