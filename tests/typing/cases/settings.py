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
Agent('test', deps_type=int, toolsets=[in_code])  # type: ignore

ts.CodeModeToolset()  # type: ignore
ts.CodeModeToolset(tools, 'code')  # type: ignore
ts.CodeModeToolset(tools, default_callers='model')  # type: ignore
ts.CodeModeToolset(tools, catalog='hidden')  # type: ignore
ts.CodeModeToolset(tools, tool_errors='hide')  # type: ignore
ts.CodeModeToolset(tools, limits=10)  # type: ignore
ts.CodeModeToolset(tools, limit=ts.Limits())  # type: ignore
ts.CodeModeToolset(tools, files={'/data': 'reports'})  # type: ignore

capability = ts.CodeMode[User](
    search=ts.ToolSearchOptions(max_results=3), defer='auto', rules=[ts.ToolRule(hidden=True)]
)
as_capability: AbstractCapability[User] = capability
ts.CodeMode(defer='always')  # type: ignore
ts.CodeMode(search='ranked')  # type: ignore

ts.Limits(call=5)  # type: ignore
ts.Limits(max_calls='many')  # type: ignore
ts.Limits().max_calls = 5  # type: ignore

ts.ToolRule('delete_*', when=lambda tool: (tool.description or '').startswith('Delete'), timeout=1.5, max_calls=3)
ts.ToolRule('delete_*', 'github')  # type: ignore
ts.ToolRule(when=lambda tool: tool.descriptions)  # type: ignore
ts.ToolRule(allowed_callers='nobody')  # type: ignore

ts.CodeMode[User](
    flows=ts.Flows(rules=[ts.FlowRule(source=ts.ToolMatch(server='web'), arguments='to', then='refuse')], strict=True)
)
ts.FlowRule(sink=ts.ToolMatch('send', server='mail'), then='deny')  # type: ignore
ts.FlowRule(source='web')  # type: ignore

ts.Files(['reports'])  # type: ignore
ts.Folder()  # type: ignore
ts.Files(limits=ts.FileLimits(file_bytes=1_000, entries=10, seconds=1))
ts.FileLimits(seconds='1')  # type: ignore
ts.Scratch('scratch', max_bytes='1 GB')  # type: ignore
ts.Sessions(owner=lambda ctx: 3)  # type: ignore
ts.SavedFunctions(scope='team')  # type: ignore

ts.Snapshots(ttl=7)  # type: ignore
ts.EncryptionKey('2026', b'secret of the year 2026, long enough')
ts.Snapshots(key_service=lambda key_id: ts.EncryptionKey(key_id or '2026', 'a secret that is long enough for this'))
ts.Snapshots(key_service=lambda key_id: 'a secret')  # type: ignore


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
ts.Snapshots(store=HalfOfAShelf())  # type: ignore
ts.SavedFunctions(Shelf())  # type: ignore
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
not_clocked: ts.TimestampingStore = ts.MemoryStore()  # type: ignore
not_batching: ts.BatchingStore = ts.MemoryStore()  # type: ignore
not_claiming: ts.LockingStore = Shelf()  # type: ignore


async def use(functions: ts.SavedFunctions, store: ts.FunctionStore, claims: ts.LockingStore) -> None:
    assert_type(await functions.saved('ada'), list[ts.SavedFunction])
    assert_type((await functions.versions('top', 'ada'))[0].code, str)
    assert_type(await functions.delete('top'), int)
    await functions.delete(3)  # type: ignore
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
