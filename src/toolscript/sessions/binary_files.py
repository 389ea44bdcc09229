"""Files and large results that pass between tools, scripts and the scratch folder."""

import asyncio
import base64
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import pydantic_core
from pydantic_ai.messages import BinaryContent, MultiModalContent

from toolscript.guards import fields, is_array
from toolscript_sandbox import HostFiles

from .files import NAME

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
    # The same bytes are the same file; the tool's name for it and its type are not part of the name.
    ending = mimetypes.guess_extension(file.media_type) or ''
    return PurePosixPath(FILES_FOLDER, f'{hashlib.sha256(file.data).hexdigest()[:16]}{ending}')


RESULTS_FOLDER = f'{NAME}/results'


async def save_result(value: Any, call_id: str, files: HostFiles) -> str:
    """Write a value to the scratch folder, text as it is and anything else as JSON. Returns a note for the model."""
    is_text = isinstance(value, str)
    content = await asyncio.to_thread(lambda: value.encode() if is_text else pydantic_core.to_json(value))
    short = re.sub('[^A-Za-z0-9]', '', call_id)[-12:] or 'result'
    path = PurePosixPath(RESULTS_FOLDER, f'{short}.{"txt" if is_text else "json"}')

    def write() -> None:
        files.mkdir(path.parent, parents=False, exist_ok=True)
        files.put(path, content)

    try:
        await asyncio.to_thread(write)
    except OSError as error:
        return f'The whole result could not be written to a file: {error}.'
    return f'The whole result is in {path} ({len(content):,} bytes of {"text" if is_text else "JSON"}).'
