"""The folders that scripts have, as `CodeModeToolset(files=...)` is told."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic_ai import RunContext, UserError

from toolscript.settings import flag, instance_of
from toolscript_sandbox import FileLimits, Folder, HostFiles, check_folders

from .scratch import NAME, Scratch


@dataclass(frozen=True)
class Files:
    """Gives scripts folders of the host, by names of their own, and a scratch folder."""

    folders: Mapping[str, str | Path | Folder] = field(default_factory=dict[str, str | Path | Folder])
    """By what scripts call them, as `/data`: a folder of the host, which they may only read, or a `Folder`."""
    scratch: Scratch | str | Path | None = None
    """Where on the host the owners of runs have their scratch folders, which scripts know as `/scratch`."""
    large_results: bool = False
    """Whether a result that is too large to be shown whole is also written to `/scratch/results`, and the model told
    where."""
    limits: FileLimits = field(default_factory=FileLimits)
    """Bounds of what one access to a file does."""

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        instance_of('Files(limits=...)', self.limits, FileLimits)
        flag('Files(large_results=...)', self.large_results)
        try:
            folders = {name: _folder(folder) for name, folder in self.folders.items()}
            if self.scratch is not None and not isinstance(self.scratch, Scratch):
                object.__setattr__(self, 'scratch', Scratch(self.scratch))
            check_folders(folders)
            self._check_scratch(folders)
        except ValueError as error:
            raise UserError(f'Files: {error}.') from error
        object.__setattr__(self, 'folders', folders)

    def _check_scratch(self, folders: Mapping[str, Folder]) -> None:
        scratch = self._scratch
        if scratch is None:
            if self.large_results:
                raise ValueError('large_results are written to the scratch folder; give one with scratch=')
            if not folders:
                raise ValueError('there is neither a folder nor a scratch folder; give one, or leave files= away')
            return
        if NAME in folders:
            raise ValueError(f'{NAME} is the name of the scratch folder; give the other one another name')
        for name, folder in folders.items():
            root, other = os.path.realpath(scratch.root), os.path.realpath(folder.path)
            if os.path.commonpath([root, other]) in (root, other):
                raise ValueError(f'{name} and the scratch folders lie one in the other on the host; use folders apart')

    @property
    def _scratch(self) -> Scratch | None:
        return self.scratch if isinstance(self.scratch, Scratch) else None

    @property
    def _folders(self) -> dict[str, Folder]:
        return {name: _folder(folder) for name, folder in self.folders.items()}

    @property
    def writable(self) -> bool:
        """Whether scripts may write anywhere."""
        return self._scratch is not None or any(folder.writable for folder in self._folders.values())

    @property
    def line(self) -> str:
        """What the model reads of them."""
        shown = [f'{name} (read{" and write" if folder.writable else ""})' for name, folder in self._folders.items()]
        if self._scratch is not None:
            shown.append(f'{NAME} (yours: read and write, {_size(self._scratch.max_bytes)}, stays for later turns)')
        return f'- Files, with open, pathlib, os and csv: {", ".join(shown)}.'

    def of_run(self, ctx: RunContext[Any]) -> HostFiles:
        """What a run has of them. Makes its scratch folder, if need be.

        Raises:
            UserError: Nobody says whose scratch folder it is, or it cannot be made.
        """
        scratch = self._scratch
        if scratch is None:
            return HostFiles(self._folders, self.limits)
        owner = scratch.owner_of(ctx)
        try:
            return HostFiles({**self._folders, NAME: scratch.folder(owner)}, self.limits, cwd=NAME)
        except OSError as error:
            raise UserError(f'The scratch folder cannot be made in {scratch.root}: {error.strerror}.') from error


def _folder(folder: str | Path | Folder) -> Folder:
    return folder if isinstance(folder, Folder) else Folder(folder)


def _size(count: int) -> str:
    for unit, size in (('GB', 10**9), ('MB', 10**6), ('kB', 10**3)):
        if count >= size:
            return f'{count / size:.3g} {unit}'
    return f'{count} bytes'
