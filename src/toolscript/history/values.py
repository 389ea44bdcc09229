"""Formats values and texts of a history for readers."""

from typing import Any

import pydantic_core
from pydantic_ai.messages import BinaryContent, CachePoint, FileUrl, TextContent

from toolscript.guards import is_array, is_object
from toolscript_signatures import with_visible

_DEEPEST = 60


def visible(text: str) -> str:
    """Return text with invisible characters escaped as in Python; line breaks remain."""
    return with_visible(text.replace('\r\n', '\n').replace('\r', '\\r').expandtabs(4))


def one_line(text: str) -> str:
    return visible(text).replace('\n', '\\n')


def prompt_text(content: object) -> str:
    """Return the text of a user prompt, which may contain several texts and files."""
    if content is None:
        return ''
    return '\n'.join(filter(None, map(prompt_text, content))) if is_array(content) else as_text(content)


def as_text(value: object) -> str:
    """Return what a model reads of a value: texts unchanged, files by their size, anything else as JSON."""
    if is_array(value) and any(not isinstance(item, str) and _words_of(item) is not None for item in value):
        return '\n'.join(map(as_text, value))
    words = _words_of(value)
    return as_json(value) if words is None else words


def as_json(value: object) -> str:
    """Return a value as JSON, with files replaced by their sizes."""
    try:
        dumped = pydantic_core.to_json(_without_files(value), inf_nan_mode='constants', fallback=str)
        return dumped.decode()
    except (ValueError, RecursionError):
        return f'{type(value).__name__}, which is not JSON'


def as_python(value: object) -> str:
    try:
        return repr(_without_files(value))
    except (ValueError, RecursionError):
        return f'{type(value).__name__}, which has no text'


def _words_of(value: object) -> str | None:
    """Return the text of a value that has a text form; otherwise `None`."""
    match value:
        case str():
            return value
        case TextContent():
            return value.content
        case CachePoint():
            return ''
        case _:
            return _file(value)


def _file(value: object) -> str | None:
    match value:
        case BinaryContent():
            return f'[{value.media_type}, {len(value.data):,} bytes]'
        case bytes():
            return f'[bytes, {len(value):,} bytes]'
        case FileUrl():
            return f'[{getattr(value, "kind", "file")} {value.url}]'
        case _ if getattr(value, 'kind', None) == 'uploaded-file':
            return f'[uploaded file {getattr(value, "file_id", "")}]'
        case _:
            return None


def _without_files(value: object, depth: int = 0) -> Any:
    words = _file(value)
    if words is not None:
        return words
    if depth < _DEEPEST and is_object(value):
        return {key: _without_files(inner, depth + 1) for key, inner in value.items()}
    if depth < _DEEPEST and is_array(value):
        return [_without_files(inner, depth + 1) for inner in value]
    return value
