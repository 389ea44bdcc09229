"""What crosses between tools and scripts: JSON, frozen when the tool returns."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import pydantic_core
from pydantic_ai.messages import MultiModalContent, is_multi_modal_content

from toolscript.guards import fields, is_array
from toolscript_sandbox import Serialized, serialize, text_of

from .read_once import ReadOnce

_FILE_KEY = 'file_id'


@dataclass
class Files:
    """The images, documents and other files that tools returned in one run.

    A script holds only a small handle; where its result names one, the model gets the file itself.
    """

    by_id: dict[str, MultiModalContent] = field(default_factory=dict[str, MultiModalContent])

    async def taken(self, value: Any, most_heap: int) -> Serialized:
        """The value as JSON, in which handles stand for its files, which are these from now on; never an error.

        What JSON cannot hold becomes its `str`, or the name of its type. `most_heap` are the bytes of a script's memory
        that it may take.
        """
        return await serialize(value, leaf=partial(self._leaf, ReadOnce()), most_heap=most_heap)

    def restored(self, value: object) -> object:
        """A script's result with the files its handles stand for: in place at the top level or in a list there."""
        return [self._file(item) for item in value] if is_array(value) else self._file(value)

    def _leaf(self, once: ReadOnce, value: Any) -> Any:
        if is_multi_modal_content(value):
            return self._handle(value)
        if isinstance(value, Iterator):
            return once.items(cast('Iterator[Any]', value))
        # As upstream shows a value to a model that calls the tool directly; bytes, too.
        return pydantic_core.to_jsonable_python(value, by_alias=True, bytes_mode='base64', fallback=_whole_text)

    def _handle(self, file: MultiModalContent) -> dict[str, str]:
        self.by_id[file.identifier] = file
        return {_FILE_KEY: file.identifier, 'media_type': file.media_type}

    def _file(self, value: object) -> object:
        file_id = fields(value).get(_FILE_KEY)
        return self.by_id.get(file_id, value) if isinstance(file_id, str) else value


def _whole_text(value: object) -> str:
    """Never cut: a text that is too long is counted where it crosses, and told to be too large."""
    return text_of(value, None)


def holds_files(value: object) -> bool:
    """Whether a restored result has files in it, which must reach the model natively."""
    return any(is_multi_modal_content(item) for item in (value if is_array(value) else [value]))
