"""Stores for the state of scripts beyond the life of the process: three implementations and their protocols."""

from .directory import DirectoryStore
from .sqlite import SqliteStore
from .store import BatchingStore, FunctionStore, LockingStore, LockLost, MemoryStore, SnapshotStore, TimestampingStore

__all__ = [
    'BatchingStore',
    'DirectoryStore',
    'FunctionStore',
    'LockLost',
    'LockingStore',
    'MemoryStore',
    'SnapshotStore',
    'SqliteStore',
    'TimestampingStore',
]
