"""What passes between tools and scripts: JSON, frozen when the tool returns."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice
from typing import Annotated, Any, cast

import pydantic_core
from pydantic import TypeAdapter, ValidationError, WrapSerializer
from pydantic_ai import ToolReturn, UserError
from pydantic_ai.messages import BinaryContent, MultiModalContent, UserContent, is_multi_modal_content

from toolscript.guards import fields, is_array, is_object, strings
from toolscript_sandbox import Limits, Serialized, serialize, text_of, to_json

MAX_ITEMS = 200_000
"""The most items of an iterator: one with more may never end."""


class ReadOnce:
    """The items of iterators, each read once however often the value that holds them is walked."""

    def __init__(self) -> None:
        self._read = dict[int, tuple[Iterator[Any], list[Any] | None]]()

    def items(self, iterator: Iterator[Any]) -> list[Any]:
        """Return all items. Raises `ValueError` if there are too many, or if the iterator failed."""
        if id(iterator) not in self._read:
            # Stored with its items, so that no other object gets its id.
            self._read[id(iterator)] = iterator, _whole(iterator)
        items = self._read[id(iterator)][1]
        if items is None:
            raise ValueError(f'An iterator of the tool failed, or gave more than {MAX_ITEMS:,} items; return a list.')
        return items


def _whole(iterator: Iterator[Any]) -> list[Any] | None:
    try:
        items = list(islice(iterator, MAX_ITEMS + 1))
    except Exception:
        return None
    return items if len(items) <= MAX_ITEMS else None


def without_iterators(value: Any, levels: int = 5) -> Any:
    """Return the value, with a list in place of each iterator in it, because an iterator can be read only once.

    Raises:
        ValueError: An iterator has too many items, or failed.
    """
    if isinstance(value, Iterator):
        value = ReadOnce().items(cast('Iterator[Any]', value))
    if levels and is_array(value):
        return [without_iterators(item, levels - 1) for item in value]
    if levels and is_object(value):
        return {key: without_iterators(item, levels - 1) for key, item in value.items()}
    return value


_FILE_KEY = 'file_id'


@dataclass
class ReturnedFiles:
    """The images, documents and other files that tools returned in one run.

    A script holds only a small handle; if its result contains one, the model gets the file itself.
    """

    by_id: dict[str, MultiModalContent] = field(default_factory=dict[str, MultiModalContent])

    async def taken(self, value: Any, max_heap: int) -> Serialized:
        """Return the value as JSON, with handles in place of its files, which are added to these. Never raises.

        What JSON cannot hold becomes its `str`, or the name of its type. It may take `max_heap` bytes
        of the script's memory.
        """
        return await serialize(value, leaf=partial(self._leaf, ReadOnce()), max_heap=max_heap)

    def restored(self, value: object) -> object:
        """Return a script's result with the files of its handles: at the top level, or in a list there."""
        if not self.by_id:
            return value
        return [self._file(item) for item in value] if is_array(value) else self._file(value)

    def _leaf(self, once: ReadOnce, value: Any) -> Any:
        if is_multi_modal_content(value):
            return self._handle(value)
        if isinstance(value, Iterator):
            return once.items(cast('Iterator[Any]', value))
        # As pydantic-ai shows a value, including bytes, to a model that calls the tool directly.
        return pydantic_core.to_jsonable_python(value, by_alias=True, bytes_mode='base64', fallback=_whole_text)

    def _handle(self, file: MultiModalContent) -> dict[str, str]:
        # Identifiers are short, or chosen by tools, which may give each of their files the same one.
        content = file.data if isinstance(file, BinaryContent) else pydantic_core.to_json(file, fallback=repr)
        file_id = f'{file.identifier}-{hashlib.sha256(content).hexdigest()[:12]}'
        self.by_id[file_id] = file
        return {_FILE_KEY: file_id, 'media_type': file.media_type}

    def _file(self, value: object) -> object:
        file_id = fields(value).get(_FILE_KEY)
        return self.by_id.get(file_id, value) if isinstance(file_id, str) else value


def _whole_text(value: object) -> str:
    """Return the whole text: one that is too long raises an error where its size is checked."""
    return text_of(value, None)


def as_json(value: Any, *, indent: int | None = None) -> str:
    """Return a result as JSON, with bytes as models read them; as plain text if JSON cannot hold it."""
    try:
        return pydantic_core.to_json(value, indent=indent, bytes_mode='base64', fallback=str).decode()
    except ValueError:  # half a character, or endless nesting
        return text_of(value, None)


def holds_files(value: object) -> bool:
    """Return whether a restored result contains files, which must reach the model natively."""
    items = value if is_array(value) else [value]
    return not _DATA.issuperset(map(type, items)) and any(map(is_multi_modal_content, items))


_DATA = frozenset([str, int, float, bool, type(None), list, dict])


def jsonable(metadata: Any, convert: Callable[[Any], Any]) -> Any:
    """Return a tool's metadata, converted. Never raises: cycles, for example, are described, as in results."""
    try:
        return convert(metadata)
    except Exception:
        return to_json(metadata)


@dataclass(frozen=True)
class ReturnExtras:
    """What a call's `ToolReturn` carried in addition to the value for the script."""

    content: str | Sequence[UserContent] | None = None
    metadata: Annotated[Any, WrapSerializer(jsonable, when_used='json')] = None
    tools: tuple[str, ...] = ()

    @classmethod
    def of(cls, content: object, metadata: Any, tools: object) -> 'ReturnExtras':
        """Create it from whatever the `ToolReturn` carried. Never raises, since the tool has done its work."""
        return cls(_content(content), metadata, tuple(strings(tools)))


def _content(given: object) -> str | Sequence[UserContent] | None:
    if given is None:
        return None
    if isinstance(given, str):
        return text_of(given, None)
    return [_part(item) for item in (given if is_array(given) else [given])]


def _part(item: object) -> UserContent:
    """Return the item, as text if it is nothing that can be sent to a model."""
    if type(item) is str:
        return text_of(item, None)
    try:
        return _user_content().validate_python(item)
    except ValidationError:
        return text_of(item, None)


@cache
def _user_content() -> TypeAdapter[UserContent]:
    return TypeAdapter(UserContent)


@dataclass(frozen=True)
class Frozen:
    """The parts of what a tool returned."""

    taken: Serialized
    """The value, as JSON."""
    files: Mapping[str, MultiModalContent]
    """The files whose handles are in the value."""
    returned: ReturnExtras | None
    """What came in addition to the value."""


async def frozen(tool_name: str, result: Any, limits: Limits) -> Frozen:
    """Return the result, frozen, for a script with these limits. Raises `UserError` for a list of `ToolReturn`s."""
    if isinstance(result, list) and any(
        issubclass(kind, ToolReturn) for kind in {*map(type, islice(cast('list[object]', result), 1_000_000))}
    ):
        raise UserError(
            f'The return value of tool {tool_name!r} contains invalid nested `ToolReturn` objects. '
            '`ToolReturn` should be used directly.'
        )
    returned = None
    if isinstance(result, ToolReturn):
        returned = ReturnExtras.of(result.content, result.metadata, result.tools)
        result = result.return_value
    files = ReturnedFiles()
    taken = await files.taken(result, limits.result_heap_bytes)
    return Frozen(taken, files.by_id, returned)
