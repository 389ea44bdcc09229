"""Results that are too large to be shown whole, in files."""

import asyncio
import re
from pathlib import PurePosixPath
from typing import Any

import pydantic_core

from toolscript_sandbox import HostFiles

from .scratch import NAME

FOLDER = f'{NAME}/results'


async def put_aside(value: Any, call_id: str, files: HostFiles) -> str:
    """Write the value to the scratch folder, a text as it is and all else as JSON. What to tell the model of it."""
    is_text = isinstance(value, str)
    content = await asyncio.to_thread(lambda: value.encode() if is_text else pydantic_core.to_json(value))
    short = re.sub('[^A-Za-z0-9]', '', call_id)[-12:] or 'result'
    path = PurePosixPath(FOLDER, f'{short}.{"txt" if is_text else "json"}')

    def write() -> None:
        files.mkdir(path.parent, parents=False, exist_ok=True)
        files.put(path, content)

    try:
        await asyncio.to_thread(write)
    except OSError as error:
        return f'The whole result could not be written to a file: {error}.'
    return f'The whole result is in {path} ({len(content):,} bytes of {"text" if is_text else "JSON"}).'
