"""Pure paths: all paths are."""

from pathlib import Path

PurePath = PurePosixPath = PosixPath = Path
