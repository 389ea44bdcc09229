"""A Python call as a JSON arguments object."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolscript_signatures.schemas.parameters import ParameterList
from toolscript_signatures.shapes.pytypes import admits_none


@dataclass(frozen=True)
class Call:
    """What a call of a function gave, and what the function takes."""

    name: str
    signature: str
    takes: ParameterList
    variadic: str | None = None

    def arguments(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON arguments object. Raises `TypeError` with a message for whoever wrote the call."""
        given = self._positional(args)
        for word, value in kwargs.items():
            key = self._key(word, kwargs)
            if key in given:
                raise self._error(f'got two values for {word!r}')
            given[key] = value
        missing = [
            parameter.name for parameter in self.takes.named if parameter.required and parameter.key not in given
        ]
        if missing:
            raise self._error(f'is missing {_listed(missing)}{self._unknown_words(kwargs)}')
        rest = {} if self.variadic is None else {self.variadic: list[Any]()}
        return {**rest, **{key: value for key, value in given.items() if not self._means_default(key, value)}}

    def _positional(self, args: Sequence[Any]) -> dict[str, Any]:
        keys = [parameter.key for parameter in self.takes.named]
        # What stands behind `*args` is given by name only.
        fixed = keys[: keys.index(self.variadic)] if self.variadic in keys else keys
        if len(args) > len(fixed) and self.variadic is None:
            raise self._error(f'takes at most {len(fixed)} positional arguments, got {len(args)}')
        given = dict(zip(fixed, args, strict=False))
        rest = list(args[len(fixed) :])
        return {**given, self.variadic: rest} if self.variadic is not None and rest else given

    def _key(self, word: str, kwargs: Mapping[str, Any]) -> str:
        for parameter in self.takes.named:
            if word == parameter.name:
                return parameter.key
        for parameter in self.takes.named:
            if word == parameter.key:
                return parameter.key
        if not self._may_pass(word, kwargs):
            raise self._error(f'has no parameter {word!r}{self._suggestion(word)}')
        return word

    def _may_pass(self, word: str, kwargs: Mapping[str, Any]) -> bool:
        if self.takes.extra is not None:
            return True
        return not self.takes.closed and not self._close(word, kwargs)

    def _close(self, word: str, kwargs: Mapping[str, Any]) -> list[str]:
        free = [parameter.name for parameter in self.takes.named if parameter.name not in kwargs]
        return difflib.get_close_matches(word, free, n=1, cutoff=0.8)

    def _suggestion(self, word: str) -> str:
        names = {parameter.name.lower(): parameter.name for parameter in self.takes.named}
        close = difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.5)
        return f', did you mean {names[close[0]]!r}?' if close else ''

    def _unknown_words(self, kwargs: Mapping[str, Any]) -> str:
        known = {name for parameter in self.takes.named for name in (parameter.name, parameter.key)}
        unknown = [word for word in kwargs if word not in known]
        return f'; it has no parameter {_listed(unknown)}' if unknown and self.takes.extra is None else ''

    def _means_default(self, key: str, value: Any) -> bool:
        return value is None and any(
            parameter.key == key and not parameter.required and not admits_none(parameter.type)
            for parameter in self.takes.named
        )

    def _error(self, problem: str) -> TypeError:
        return TypeError(f'{self.name}() {problem}\n{self.signature}')


def _listed(names: Sequence[str]) -> str:
    return ', '.join(map(repr, names))
