"""Converts the results of tools to MCP content."""

import base64
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast
from uuid import uuid4

import pydantic_core
from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
)
from pydantic_ai import ToolReturn
from pydantic_ai.messages import BinaryContent

from toolscript.guards import fields
from toolscript.results.values import as_json
from toolscript.run_code.history import result_in
from toolscript.scripts.answers import is_cut
from toolscript_sandbox import text_of, truncate
from toolscript_signatures import with_visible

_MAX_KEPT = 20
_MAX_CHARS_KEPT = 20_000_000


@dataclass
class LongResults:
    """The long results of one client, each readable as a resource until newer ones replace it."""

    texts: OrderedDict[str, str] = field(default_factory=OrderedDict[str, str])
    """Texts by URI."""

    def keep(self, text: str) -> str | None:
        """Store a text. Returns the URI under which it can be read; `None` if it is too long to be stored."""
        if len(text) > _MAX_CHARS_KEPT:
            return None
        uri = f'toolscript://results/{uuid4().hex}'
        self.texts[uri] = text
        while len(self.texts) > _MAX_KEPT or sum(map(len, self.texts.values())) > _MAX_CHARS_KEPT:
            self.texts.popitem(last=False)
        return uri


def called(result: Any, long_results: LongResults, max_chars: int) -> CallToolResult:
    """Return the answer to a successful call; the full text of results above `max_chars` goes to `long_results`."""
    returned = cast(ToolReturn[Any], result) if isinstance(result, ToolReturn) else ToolReturn(result)
    blocks = [*_blocks(returned.return_value, long_results, max_chars, _name(returned.metadata))]
    further: Any = returned.content
    if further is not None:
        for part in [further] if isinstance(further, str | BinaryContent) else further:
            blocks += _blocks(part, long_results, max_chars, None)
    return CallToolResult(content=blocks)


def failed(message: str) -> CallToolResult:
    """Return the answer to a failed call, with a message that the model can act on."""
    return CallToolResult(content=[TextContent(text=message)], is_error=True)


def _blocks(value: Any, long_results: LongResults, max_chars: int, name: str | None) -> Iterator[ContentBlock]:
    if isinstance(value, BinaryContent):
        yield _file(value)
        return
    if isinstance(value, list | tuple):
        items = cast('list[Any]', value)
        # A loop over a large list would hold the event loop.
        if any(issubclass(kind, BinaryContent) for kind in {*map(type, items)}):
            for item in items:
                yield from _blocks(item, long_results, max_chars, None)
            return
    text = text_of(value, None) if isinstance(value, str) else as_json(value)
    if len(text) <= max_chars:
        yield TextContent(text=with_visible(text))
        return
    yield TextContent(text=with_visible(_capped(value, max_chars, name)))
    uri = long_results.keep(text)
    if uri is not None:
        mime = 'text/plain' if isinstance(value, str) else 'application/json'
        yield ResourceLink(
            uri=uri, name='result', description='The whole result.', mime_type=mime, size=len(text.encode())
        )


def _capped(value: Any, max_chars: int, name: str | None) -> str:
    """Return the beginning of a value that is too long; in a script's answer, result and output are cut separately."""
    if result_in(value)[1]:
        parts: dict[str, Any] = {
            key: _beginning(part, max_chars // 2, name if key == 'result' else None)
            if is_cut(part, max_chars // 2)
            else part
            for key, part in fields(value).items()
        }
        return as_json(parts)
    return _beginning(value, max_chars, name)


def _beginning(value: Any, max_chars: int, name: str | None) -> str:
    try:
        # Only its ends are read. Reading all of its text would hold the event loop.
        return truncate(value, max_chars=max_chars, name=name)
    except TypeError:  # a tool returned what is not JSON
        return truncate(pydantic_core.from_json(as_json(value)), max_chars=max_chars, name=name)


def _name(metadata: object) -> str | None:
    ran = fields(metadata).get('executed_code')
    last = ran.rstrip().rpartition(';')[2].strip() if isinstance(ran, str) else ''
    return last if last.isidentifier() else None


def _file(content: BinaryContent) -> ContentBlock:
    data = base64.b64encode(content.data).decode()
    if content.is_image:
        return ImageContent(data=data, mime_type=content.media_type)
    if content.is_audio:
        return AudioContent(data=data, mime_type=content.media_type)
    uri = f'toolscript://files/{content.identifier}'
    return EmbeddedResource(resource=BlobResourceContents(uri=uri, blob=data, mime_type=content.media_type))
