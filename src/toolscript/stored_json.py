"""Serialization of stored values as JSON."""

import json
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import ConfigDict, RootModel
from pydantic_core import PydanticSerializationError

T = TypeVar('T')

JSON = ConfigDict(ser_json_bytes='base64', val_json_bytes='base64', ser_json_inf_nan='constants', defer_build=True)
"""Bytes as base64; infinity and nan as constants."""


class _Stored(RootModel[T]):
    model_config = JSON


class StoredJson(Generic[T]):
    """Serializes the values of a type; built when first needed, because building takes milliseconds."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    def dump(self, value: T) -> bytes:
        """Return the value as JSON; parts without a JSON form are converted by `str`."""
        stored = self._model.model_construct(value)
        try:
            return stored.model_dump_json(fallback=str).encode()
        except PydanticSerializationError:
            # A decision or a tool's text may contain half of a surrogate pair, which becomes '?' as in results.
            text = json.dumps(stored.model_dump(mode='json', fallback=str), ensure_ascii=False)
            return text.encode('utf-8', 'replace')

    def load(self, data: bytes | str) -> T:
        """Return the value from its JSON. Raises `ValidationError` if another version wrote it."""
        return self._model.model_validate_json(data).root

    def dump_python(self, value: T) -> Any:
        """Return the same as `dump`, as Python dictionaries and lists."""
        return self._model.model_construct(value).model_dump(mode='json', fallback=str)

    def load_python(self, value: object) -> T:
        """Return the value from the output of `dump_python`."""
        return self._model.model_validate(value).root

    @cached_property
    def _model(self) -> type[_Stored[T]]:
        return _Stored[self._kind]
