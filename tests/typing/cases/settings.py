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

from toolscript import (
    BatchingStore,
    CodeMode,
    CodeModeToolset,
    CodeModeWarning,
    DirectoryStore,
    EncryptionKey,
    FileLimits,
    Files,
    FlowRule,
    Flows,
    Folder,
    FunctionStore,
    FunctionToolset,
    Limits,
    LockingStore,
    LockLost,
    MemoryStore,
    ResultShapes,
    Sandbox,
    SavedFunction,
    SavedFunctions,
    Scratch,
    ScriptLocked,
    Sessions,
    SnapshotKeyWarning,
    Snapshots,
    SnapshotStore,
    SqliteStore,
    TimestampingStore,
    ToolMatch,
    ToolNameWarning,
    ToolRule,
    ToolRuleWarning,
    ToolSearchOptions,
    ToolSearchWarning,
)
from toolscript.postgres import PostgresStore


@dataclass
class User:
    """Deps."""

    name: str


def name_of(ctx: RunContext[User]) -> str:
    """Return the owner."""
    return ctx.deps.name


tools = FunctionToolset[User]()
in_code = CodeModeToolset(
    tools,
    default_callers='both',
    catalog='append',
    catalog_tokens=4_000,
    limits=Limits(max_script_seconds=10, max_memory_bytes=2**28, max_calls=100),
    snapshots=Snapshots(key='keep it secret', old_keys=[b'older'], store=SqliteStore('scripts.db')),
    sessions=Sessions(MemoryStore(), owner=name_of, wait=timedelta(seconds=3)),
    functions=SavedFunctions(SqliteStore(Path('functions.db')), scope='user', owner=name_of, approve=True),
    files=Files(
        {'/data': 'reports', '/letters': Folder('letters', writable=True)}, scratch=Scratch('scratch', owner=name_of)
    ),
    tool_errors='message',
    batching_hint_after=3,
    result_shapes=ResultShapes(),
    rules=[ToolRule(['delete_*', 'merge_*'], server='github', requires_approval=True)],
    sandbox=Sandbox(workers=4, headers=lambda: {'Authorization': 'token'}),
)
assert_type(in_code, CodeModeToolset[User])
as_toolset: AbstractToolset[User] = in_code
Agent('test', deps_type=User, toolsets=[in_code])
Agent('test', deps_type=int, toolsets=[in_code])  # error

CodeModeToolset()  # error
CodeModeToolset(tools, 'code')  # error
CodeModeToolset(tools, default_callers='model')  # error
CodeModeToolset(tools, catalog='hidden')  # error
CodeModeToolset(tools, tool_errors='hide')  # error
CodeModeToolset(tools, limits=10)  # error
CodeModeToolset(tools, limit=Limits())  # error
CodeModeToolset(tools, files={'/data': 'reports'})  # error

capability = CodeMode[User](search=ToolSearchOptions(max_results=3), defer='auto', rules=[ToolRule(hidden=True)])
as_capability: AbstractCapability[User] = capability
CodeMode(defer='always')  # error
CodeMode(search='ranked')  # error

Limits(call=5)  # error
Limits(max_calls='many')  # error
Limits().max_calls = 5  # error

ToolRule('delete_*', when=lambda tool: (tool.description or '').startswith('Delete'), timeout=1.5, max_calls=3)
ToolRule('delete_*', 'github')  # error
ToolRule(when=lambda tool: tool.descriptions)  # error
ToolRule(allowed_callers='nobody')  # error

CodeMode[User](
    flows=Flows(rules=[FlowRule(source=ToolMatch(server='web'), arguments='to', then='refuse')], strict=True)
)
FlowRule(sink=ToolMatch('send', server='mail'), then='deny')  # error
FlowRule(source='web')  # error

Files(['reports'])  # error
Folder()  # error
Files(limits=FileLimits(file_bytes=1_000, entries=10, seconds=1))
FileLimits(seconds='1')  # error
Scratch('scratch', max_bytes='1 GB')  # error
Sessions(owner=lambda ctx: 3)  # error
SavedFunctions(scope='team')  # error

Snapshots(ttl=7)  # error
EncryptionKey('2026', b'secret of the year 2026, long enough')
Snapshots(key_service=lambda key_id: EncryptionKey(key_id or '2026', 'a secret that is long enough for this'))
Snapshots(key_service=lambda key_id: 'a secret')  # error


class Shelf:
    """A custom store."""

    async def save(self, key: str, text: str, /) -> None:
        """Store a text."""

    async def load(self, key: str, /) -> str | None:
        """Load a text."""


class HalfOfAShelf:
    """Not a store, because it lacks `load`."""

    async def save(self, key: str, text: str, /) -> None:
        """Store a text."""


own: SnapshotStore = Shelf()
Snapshots(store=Shelf())
Snapshots(store=HalfOfAShelf())  # error
SavedFunctions(Shelf())  # error
claiming: list[LockingStore] = [
    MemoryStore(),
    DirectoryStore(Path('scripts')),
    SqliteStore('s.db'),
    PostgresStore('postgresql://'),
]
of_functions: list[FunctionStore] = [
    MemoryStore(),
    DirectoryStore(Path('f')),
    SqliteStore('f.db'),
    PostgresStore('postgresql://'),
]
batching: BatchingStore = PostgresStore('postgresql://app@db/app', direct_url='postgresql://app@db/app')
clocked: TimestampingStore = PostgresStore('postgresql://')
not_clocked: TimestampingStore = MemoryStore()  # error
not_batching: BatchingStore = MemoryStore()  # error
not_claiming: LockingStore = Shelf()  # error


async def use(functions: SavedFunctions, store: FunctionStore, claims: LockingStore) -> None:
    """Check the return types of stores."""
    assert_type(await functions.saved('ada'), list[SavedFunction])
    assert_type((await functions.versions('top', 'ada'))[0].code, str)
    assert_type(await functions.delete('top'), int)
    await functions.delete(3)  # error
    assert_type(await store.all_versions('ada', 'top'), Mapping[int, str])
    assert_type(claims.lock('key'), AbstractAsyncContextManager[bool])
    assert_type(DirectoryStore(Path('scripts')).forget_old(), int)


observed: ResultShapes = ResultShapes.loads(ResultShapes().dumps())
spec: dict[str, Any] = {'limits': {'max_calls': 3}}
from_spec: AbstractCapability[Any] = CodeMode.from_spec(limits={'max_calls': 3})
failures: list[type[Exception]] = [LockLost, ScriptLocked]
warned: list[type[Warning]] = [CodeModeWarning, SnapshotKeyWarning, ToolNameWarning, ToolRuleWarning, ToolSearchWarning]
