"""Pure paths: all paths are, for there are no files."""

from pathlib import Path

PurePath = Path
PurePosixPath = Path
PosixPath = Path
