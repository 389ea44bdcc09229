"""Where the state of scripts outlives the process: three stores, and what stores must do."""

from .directory import DirectoryStore
from .memory import MemoryStore
from .sqlite import SqliteStore
from .store import BatchingStore, ClaimingStore, ClaimLost, ClockedStore, FunctionStore, SnapshotStore

__all__ = [
    'BatchingStore',
    'ClaimLost',
    'ClaimingStore',
    'ClockedStore',
    'DirectoryStore',
    'FunctionStore',
    'MemoryStore',
    'SnapshotStore',
    'SqliteStore',
]
