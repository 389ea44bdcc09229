"""The fields of one object in a configuration, read with the mistakes in them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from toolscript.guards import fields, items
from toolscript.mcp.jsonc import Document
from toolscript.mcp.jsonc import Path as Place
from toolscript.mcp.mistakes import Mistake, place_of
from toolscript.mcp.variables import NoValue, Variables


class Fields:
    """An object in a document. What cannot be read is noted as a mistake, and read as if it were empty."""

    def __init__(self, document: Document, place: Place, variables: Variables, mistakes: list[Mistake]) -> None:
        self.document = document
        self.place = place
        self.variables = variables
        self.mistakes = mistakes
        self.data: Any = document.data
        for step in place:
            self.data = items(self.data)[step] if isinstance(step, int) else fields(self.data).get(step)

    def inside(self, step: str | int) -> 'Fields':
        """The object in a field, or at an index."""
        return Fields(self.document, (*self.place, step), self.variables, self.mistakes)

    def names(self) -> list[str]:
        """The names of its fields."""
        return [*fields(self.data)]

    def indices(self) -> range:
        """The indices of it as a list."""
        return range(len(items(self.data)))

    def has(self, key: str) -> bool:
        """Whether there is such a field."""
        return key in self.names() and self.data[key] is not None

    def is_object(self) -> bool:
        """Whether it is one, which is a mistake otherwise."""
        if isinstance(self.data, dict):
            return True
        self.wrong(None, f'is {_kind(self.data)}; write an object, {{"command": …}} or {{"url": …}}.')
        return False

    def text(self, key: str, *, filled: bool = False, required: bool = False) -> str:
        """Text, with its variables filled in where that is asked for."""
        value = self._get(key)
        if value is None:
            if required:
                self.wrong(None, f'needs "{key}".')
            return ''
        if not isinstance(value, str):
            self.wrong(key, f'is {_kind(value)}; write text.{_apart(key, value)}')
            return ''
        if filled and not value.strip():
            self.wrong(key, 'is empty; write what is meant, or take it out.')
        return self._filled((key,), value) if filled else value

    def plain(self, key: str) -> str | None:
        """Text, or `None` where there is none."""
        return value if isinstance(value := self._get(key), str) else None

    def flag(self, key: str, *, default: bool = False) -> bool:
        """`true` or `false`."""
        value = self._get(key)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        self.wrong(key, f'is {_kind(value)}; write true or false.')
        return default

    def list_of_texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, their variables filled in."""
        value = self._get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            self.wrong(key, f'is {_kind(value)}; write a list of texts, ["-y", "some-server"].')
            return ()
        entries = cast(list[object], value)
        return tuple(self._entry((key, number), entry) for number, entry in enumerate(entries))

    def texts(self, key: str) -> dict[str, str]:
        """Texts by name, their variables filled in."""
        value = self._get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.wrong(key, f'is {_kind(value)}; write an object of texts, {{"NAME": "value"}}.')
            return {}
        return {name: self._entry((key, name), entry) for name, entry in cast(dict[str, object], value).items()}

    def options(self, key: str) -> tuple[str, ...]:
        """A list of choices; VS Code writes each as text, or as an object with a `value`."""
        value = self._get(key)
        choices = (fields(entry).get('value', entry) for entry in items(value))
        return tuple(choice for choice in choices if isinstance(choice, str))

    def url(self, key: str) -> str:
        """A URL of a server, its variables filled in."""
        before = len(self.mistakes)
        url = self.text(key, filled=True)
        if url and len(self.mistakes) == before:
            parts = urlsplit(url)
            if parts.scheme not in {'http', 'https'} or not parts.netloc:
                self.wrong(key, 'is no URL of a server; it begins with https:// or http://, and names a host.')
        return url

    def env_file(self, key: str, folder: Path) -> dict[str, str]:
        """The variables in a file that a field names, beside which the workspace is."""
        name = self.text(key, filled=True) if self.has(key) else ''
        if not name:
            return {}
        from dotenv import dotenv_values

        file = folder / name
        if not file.is_file():
            self.wrong(key, f'there is no file {file}.')
            return {}
        return {name: value or '' for name, value in dotenv_values(file, interpolate=False).items()}

    def wrong(self, key: str | None, what: str, *more: str | int) -> None:
        """Note a mistake, of a field or of all of it."""
        place = (*self.place, *([] if key is None else [key]), *more)
        self.mistakes.append(Mistake(self.document.line(place), place_of(place), what))

    def _get(self, key: str) -> object:
        return fields(self.data).get(key)

    def _entry(self, step: tuple[str, str | int], value: object) -> str:
        if isinstance(value, str):
            return self._filled(step, value)
        quoted = f'; write "{str(value).lower()}"' if isinstance(value, bool | int | float) else '; write text'
        self.wrong(step[0], f'is {_kind(value)}{quoted}.', step[1])
        return ''

    def _filled(self, steps: Sequence[str | int], value: str) -> str:
        try:
            return self.variables.fill(value)
        except NoValue as error:
            self.wrong(str(steps[0]), str(error), *steps[1:])
            return ''


def _kind(value: object) -> str:
    match value:
        case None:
            return 'null'
        case bool():
            return str(value).lower()
        case int() | float():
            return f'the number {value}'
        case str():
            return 'text'
        case list():
            return 'a list'
        case _:
            return 'an object'


def _apart(key: str, value: object) -> str:
    return ' The arguments go into "args".' if key == 'command' and isinstance(value, list) else ''
