"""A Python call as a JSON arguments object."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from toolscript_signatures.schemas.parameters import ParameterList
from toolscript_signatures.types.pytypes import admits_none


@dataclass(frozen=True)
class CallBinder:
    """Binds the calls of a function; what all calls have in common is computed once."""

    name: str
    signature: str
    takes: ParameterList
    variadic: str | None = None

    def arguments(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON arguments object. Raises `TypeError` with a message for the author of the call."""
        given = self._positional(args) if args else {}
        for word, value in kwargs.items():
            key = self._keys[word] if word in self._keys else self._passed(word, kwargs)
            if key in given:
                raise self._error(f'got two values for {word!r}')
            given[key] = value
        missing = [name for key, name in self._required.items() if key not in given]
        if missing:
            unknown = [word for word in kwargs if word not in self._keys] if self.takes.extra is None else []
            rest = f'; it has no parameter {_listed(unknown)}' if unknown else ''
            raise self._error(f'is missing {_listed(missing)}{rest}')
        if self._default_by_none:
            given = {
                key: value for key, value in given.items() if value is not None or key not in self._default_by_none
            }
        return given if self.variadic is None else {self.variadic: list[Any](), **given}

    @cached_property
    def _fixed(self) -> list[str]:
        """The keys of positional parameters. Those after `*args` are keyword-only."""
        keys = [parameter.key for parameter in self.takes.named]
        return keys[: keys.index(self.variadic)] if self.variadic in keys else keys

    @cached_property
    def _required(self) -> dict[str, str]:
        """The names of required parameters, by key."""
        return {parameter.key: parameter.name for parameter in self.takes.named if parameter.required}

    @cached_property
    def _keys(self) -> dict[str, str]:
        """Keys by keyword: the Python name of a parameter, or its key."""
        named = self.takes.named
        return {one.key: one.key for one in reversed(named)} | {one.name: one.key for one in reversed(named)}

    @cached_property
    def _default_by_none(self) -> frozenset[str]:
        """The keys of optional parameters that do not accept `null`: there, `None` means the default."""
        named = self.takes.named
        return frozenset(one.key for one in named if not one.required and not admits_none(one.type))

    def _positional(self, args: Sequence[Any]) -> dict[str, Any]:
        fixed = self._fixed
        if len(args) > len(fixed) and self.variadic is None:
            raise self._error(f'takes at most {len(fixed)} positional arguments, got {len(args)}')
        given = dict(zip(fixed, args, strict=False))
        rest = list(args[len(fixed) :])
        return {**given, self.variadic: rest} if self.variadic is not None and rest else given

    def _passed(self, word: str, kwargs: Mapping[str, Any]) -> str:
        """The key of a keyword that is not a parameter. Raises `TypeError` if it is not allowed."""
        if self.takes.extra is None:
            free = [parameter.name for parameter in self.takes.named if parameter.name not in kwargs]
            if self.takes.closed or difflib.get_close_matches(word, free, n=1, cutoff=0.8):
                names = {parameter.name.lower(): parameter.name for parameter in self.takes.named}
                close = difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.5)
                meant = f', did you mean {names[close[0]]!r}?' if close else ''
                raise self._error(f'has no parameter {word!r}{meant}')
        return word

    def _error(self, problem: str) -> TypeError:
        return TypeError(f'{self.name}() {problem}\n{self.signature}')


def _listed(names: Sequence[str]) -> str:
    return ', '.join(map(repr, names))
