"""Where the state of scripts outlives the process: three stores, and what a store must do."""

from .directory import DirectoryStore
from .memory import MemoryStore
from .sqlite import SqliteStore
from .store import ClaimingStore, SnapshotStore

__all__ = ['ClaimingStore', 'DirectoryStore', 'MemoryStore', 'SnapshotStore', 'SqliteStore']
