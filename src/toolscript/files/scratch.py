"""A folder of each owner's own, for what scripts write down."""

import hashlib
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from pydantic_ai import RunContext, UserError

from toolscript.settings import at_least, instance_of
from toolscript_sandbox import Folder

NAME = '/scratch'
"""What scripts call it."""


@dataclass(frozen=True)
class Scratch:
    """Gives each conversation, or each owner that `owner` names, a folder of its own: `/scratch` in scripts."""

    root: str | Path
    """The folder of the host in which each owner gets one; it is made if need be. Nothing else belongs into it."""
    owner: Callable[[RunContext[Any]], str] | None = None
    """Whose it is, as a text: `lambda ctx: f'user {ctx.deps.user_id}'`. By default the conversation's, by its
    `conversation_id`."""
    max_bytes: int = 50_000_000
    """How much one owner's files may be together."""
    max_files: int = 1_000
    """How many files and folders one owner may have."""
    ttl: timedelta = timedelta(days=7)
    """How long after the last run `forget_old` leaves a folder."""

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        at_least('Scratch(max_bytes=...)', self.max_bytes, 1)
        at_least('Scratch(max_files=...)', self.max_files, 1)
        instance_of('Scratch(ttl=...)', self.ttl, timedelta)
        object.__setattr__(self, 'root', os.path.abspath(self.root))

    def owner_of(self, ctx: RunContext[Any]) -> str:
        """Whose folder a run has.

        Raises:
            UserError: `owner` gave no text, or the run has no conversation.
        """
        owner = ctx.conversation_id if self.owner is None else self.owner(ctx)
        if isinstance(owner, str) and owner:
            return f'conversation {owner}' if self.owner is None else f'of {owner}'
        if self.owner is None:
            raise UserError(
                'A run without a conversation_id has no scratch folder; say whose it is with Scratch(owner=...).'
            )
        raise UserError(f'Scratch(owner=...) gave {owner!r}; it must give a text that names whose folder it is.')

    def folder(self, owner: str) -> Folder:
        """The folder of an owner, made if need be. No two owners have the same."""
        path = os.path.join(self.root, hashlib.sha256(owner.encode()).hexdigest()[:40])
        os.makedirs(path, mode=0o700, exist_ok=True)
        os.utime(path)
        return Folder(path, writable=True, max_bytes=self.max_bytes, max_files=self.max_files)

    def forget_old(self) -> int:
        """Remove the folders of those whose last run began longer than `ttl` ago. How many there were."""
        oldest, gone = time.time() - self.ttl.total_seconds(), 0
        if not os.path.isdir(self.root):
            return 0
        with os.scandir(self.root) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_mtime < oldest:
                    shutil.rmtree(entry.path, ignore_errors=True)
                    gone += 1
        return gone
