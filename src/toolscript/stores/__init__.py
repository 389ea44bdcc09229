"""Where the state of scripts outlives the process: three stores, and what stores must do."""

from .directory import DirectoryStore
from .memory import MemoryStore
from .sqlite import SqliteStore
from .store import BatchingStore, FunctionStore, LockingStore, LockLost, SnapshotStore, TimestampingStore

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
