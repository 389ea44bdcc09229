"""The folders that scripts can access, and the files and large results that are written to the scratch folder."""

import asyncio
import base64
import hashlib
import mimetypes
import os
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path, PurePosixPath
from typing import Any

import pydantic_core
from pydantic_ai import RunContext, UserError
from pydantic_ai.messages import BinaryContent, MultiModalContent

from toolscript.checks import at_least, flag, instance_of
from toolscript.guards import fields, is_array
from toolscript_sandbox import FileLimits, Folder, HostFiles, check_folders

NAME = '/scratch'
"""The path of the scratch folder in scripts."""


@dataclass(frozen=True)
class Scratch:
    """Gives each conversation, or each owner that `owner` returns, a separate folder: `/scratch` in scripts."""

    root: str | Path
    """The folder of the host that holds the owners' folders; it is created if missing. Put nothing else into it."""
    owner: Callable[[RunContext[Any]], str] | None = None
    """Return the owner of the folder as text: `lambda ctx: f'user {ctx.deps.user_id}'`. The default owner is the
    conversation, by its `conversation_id`."""
    max_bytes: int = 50_000_000
    """The maximum total size of one owner's files."""
    max_files: int = 1_000
    """The maximum number of files and folders of one owner."""
    ttl: timedelta = timedelta(days=7)
    """`forget_old` removes folders that no run has used for this long."""

    def __post_init__(self) -> None:
        at_least('Scratch(max_bytes=...)', self.max_bytes, 1)
        at_least('Scratch(max_files=...)', self.max_files, 1)
        instance_of('Scratch(ttl=...)', self.ttl, timedelta)
        object.__setattr__(self, 'root', os.path.abspath(self.root))

    def owner_of(self, ctx: RunContext[Any]) -> str:
        """Return the owner of a run's folder.

        Raises:
            UserError: `owner` returned no text, or the run has no conversation.
        """
        owner = ctx.conversation_id if self.owner is None else self.owner(ctx)
        if isinstance(owner, str) and owner:
            return f'conversation {owner}' if self.owner is None else f'of {owner}'
        if self.owner is None:
            raise UserError('A run without a conversation_id has no scratch folder; set Scratch(owner=...).')
        raise UserError(f'Scratch(owner=...) returned {owner!r}; it must return the owner as text.')

    def folder(self, owner: str) -> Folder:
        """Return the folder of an owner, and create it if necessary. Each owner has a separate folder."""
        path = os.path.join(self.root, hashlib.sha256(owner.encode()).hexdigest()[:40])
        os.makedirs(path, mode=0o700, exist_ok=True)
        os.utime(path)
        return Folder(path, writable=True, max_bytes=self.max_bytes, max_files=self.max_files)

    def forget_old(self) -> int:
        """Remove the folders whose last run began longer than `ttl` ago. Returns their number."""
        oldest, gone = time.time() - self.ttl.total_seconds(), 0
        if not os.path.isdir(self.root):
            return 0
        with os.scandir(self.root) as entries:
            for entry in entries:
                # Another process may remove the same folders.
                with suppress(FileNotFoundError):
                    if entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_mtime < oldest:
                        shutil.rmtree(entry.path, ignore_errors=True)
                        gone += 1
        return gone


@dataclass(frozen=True)
class Files:
    """Gives scripts access to folders of the host under other names, and to a scratch folder."""

    folders: Mapping[str, str | Path | Folder] = field(default_factory=dict[str, str | Path | Folder])
    """By its name in scripts, such as `/data`: a folder of the host, which is read-only, or a `Folder`."""
    scratch: Scratch | str | Path | None = None
    """The host's folder for the scratch folders of the owners of runs, called `/scratch` in scripts."""
    large_results: bool = False
    """Whether a result that is too large to be shown in full is also written to `/scratch/results`. The model gets the
    path."""
    limits: FileLimits = field(default_factory=FileLimits)
    """Limits for each access to a file."""

    def __post_init__(self) -> None:
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
                raise ValueError('there is neither a folder nor a scratch folder; add one, or remove files=')
            return
        if NAME in folders:
            raise ValueError(f'{NAME} is the name of the scratch folder; give the other one another name')
        for name, folder in folders.items():
            root, other = os.path.realpath(scratch.root), os.path.realpath(folder.path)
            if os.path.commonpath([root, other]) in (root, other):
                raise ValueError(f'{name} and the scratch folders overlap on the host; use separate folders')

    @property
    def _scratch(self) -> Scratch | None:
        return self.scratch if isinstance(self.scratch, Scratch) else None

    @property
    def _folders(self) -> dict[str, Folder]:
        return {name: _folder(folder) for name, folder in self.folders.items()}

    @property
    def writable(self) -> bool:
        """Whether scripts may write to any folder."""
        return self._scratch is not None or any(folder.writable for folder in self._folders.values())

    @property
    def owner(self) -> Callable[[RunContext[Any]], str] | None:
        """A function that returns the owner of a run's scratch folder, if the application defines one."""
        return None if self._scratch is None else self._scratch.owner

    @property
    def line(self) -> str:
        """The description of the folders for the model."""
        shown = [f'{name} (read{" and write" if folder.writable else ""})' for name, folder in self._folders.items()]
        if self._scratch is not None:
            shown.append(f'{NAME} (yours: read and write, {_size(self._scratch.max_bytes)}, stays for later turns)')
        return f'- Files, with open, pathlib, os and csv: {", ".join(shown)}.'

    def of_run(self, ctx: RunContext[Any]) -> HostFiles:
        """Return the files of a run. Creates its scratch folder if necessary.

        Raises:
            UserError: The run has no owner for its scratch folder, or the folder cannot be made.
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


FILES_FOLDER = f'{NAME}/files'


@dataclass(frozen=True)
class BinaryFiles:
    """Writes files from tools to the scratch folder, and reads files that a script passes by path."""

    host: HostFiles

    async def left(self, files: Mapping[str, MultiModalContent]) -> tuple[dict[str, str], list[str]]:
        """Write the files. Returns their paths by id, and an error for each that could not be written."""
        paths, errors = dict[str, str](), list[str]()
        for name, file in files.items():
            if isinstance(file, BinaryContent):
                path = _path_of(file)
                try:
                    await asyncio.to_thread(self._write, path, file.data)
                    paths[name] = str(path)
                except OSError as error:
                    errors.append(f'the file {name} could not be written: {error}')
        return paths, errors

    async def given(self, value: Any) -> Any:
        """Return the arguments, with files in place of their paths. Raises `OSError` if a file does not exist."""
        if is_array(value):
            return [await self.given(item) for item in value]
        known = fields(value)
        if not known:
            return value
        path = known.get('path')
        if isinstance(path, str) and known.keys() <= {'path', 'media_type', 'file_id'}:
            return await asyncio.to_thread(self._read, PurePosixPath(path), known.get('media_type'))
        return {key: await self.given(item) for key, item in known.items()}

    def _write(self, path: PurePosixPath, data: bytes) -> None:
        self.host.mkdir(path.parent, parents=False, exist_ok=True)
        if not self._exists(path, data):
            self.host.put(path, data)

    def _exists(self, path: PurePosixPath, data: bytes) -> bool:
        try:
            return self.host.read(path) == data
        except OSError:
            return False

    def _read(self, path: PurePosixPath, media_type: object) -> dict[str, str]:
        kind = media_type if isinstance(media_type, str) else mimetypes.guess_type(path.name)[0]
        data = base64.b64encode(self.host.read(path)).decode()
        return {'data': data, 'media_type': kind or 'application/octet-stream', 'kind': 'binary'}


def with_paths(value: Any, paths: Mapping[str, str]) -> Any:
    """Return a tool's result, with the paths of files in their handles."""
    if is_array(value):
        return [with_paths(item, paths) for item in value]
    known = fields(value)
    if not known:
        return value
    path = paths.get(str(known.get('file_id'))) if set(known) == {'file_id', 'media_type'} else None
    return {key: with_paths(item, paths) for key, item in known.items()} if path is None else {**known, 'path': path}


def _path_of(file: BinaryContent) -> PurePosixPath:
    # The tool's name for it and its type are not part of the name.
    ending = mimetypes.guess_extension(file.media_type) or ''
    return PurePosixPath(FILES_FOLDER, f'{_name_of(file.data)}{ending}')


def _name_of(content: bytes) -> str:
    # The same bytes are the same file. Ids of calls may return in later turns.
    return hashlib.sha256(content).hexdigest()[:16]


RESULTS_FOLDER = f'{NAME}/results'


async def save_result(value: Any, files: HostFiles) -> str:
    """Write a value to the scratch folder, text as it is and anything else as JSON. Returns a note for the model."""
    is_text = isinstance(value, str)
    content = await asyncio.to_thread(lambda: value.encode() if is_text else pydantic_core.to_json(value))
    path = PurePosixPath(RESULTS_FOLDER, f'{_name_of(content)}.{"txt" if is_text else "json"}')

    def write() -> None:
        files.mkdir(path.parent, parents=False, exist_ok=True)
        files.put(path, content)

    try:
        await asyncio.to_thread(write)
    except OSError as error:
        return f'The whole result could not be written to a file: {error}.'
    return f'The whole result is in {path} ({len(content):,} bytes of {"text" if is_text else "JSON"}).'
