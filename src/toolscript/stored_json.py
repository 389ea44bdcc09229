"""How what is stored is written as JSON, and read again."""

from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import ConfigDict, RootModel

T = TypeVar('T')

JSON = ConfigDict(ser_json_bytes='base64', val_json_bytes='base64', ser_json_inf_nan='constants', defer_build=True)
"""Bytes as base64, infinity and nan as such."""


class _Kept(RootModel[T]):
    model_config = JSON


class StoredJson(Generic[T]):
    """What writes and reads the values of a type; built when it is first needed, since that takes milliseconds."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    def dump(self, value: T) -> bytes:
        """As JSON; what has no JSON, by `str`."""
        return self._model.model_construct(value).model_dump_json(fallback=str).encode()

    def load(self, data: bytes | str) -> T:
        """The value again. Raises `ValidationError` where another version wrote it."""
        return self._model.model_validate_json(data).root

    def dump_python(self, value: T) -> Any:
        """As `dump`, in Python's own dictionaries and lists."""
        return self._model.model_construct(value).model_dump(mode='json', fallback=str)

    def load_python(self, value: object) -> T:
        """As `load`, from what `dump_python` gave."""
        return self._model.model_validate(value).root

    @cached_property
    def _model(self) -> type[_Kept[T]]:
        return _Kept[self._kind]
