"""Checks of settings; the error says what is allowed."""

from collections.abc import Collection

from pydantic_ai import UserError
from pydantic_ai.toolsets import AbstractToolset

from .guards import is_array


def one_of(setting: str, value: object, choices: Collection[object]) -> None:
    """Refuse a value that is none of the choices."""
    if not isinstance(value, str | None) or value not in choices:
        *others, last = (repr(choice) for choice in choices)
        raise UserError(f'{setting} is {value!r}; use {", ".join(others)} or {last}.')


def at_least(setting: str, value: object, least: int, *, or_none: bool = False) -> None:
    """Refuse what is no whole number of at least `least` (nor `None`, if that is allowed)."""
    if (value is None and or_none) or (type(value) is int and value >= least):
        return
    raise UserError(f'{setting} is {value!r}; use a whole number of at least {least}{" or None" if or_none else ""}.')


def flag(setting: str, value: object) -> None:
    """Refuse what is no truth value."""
    if not isinstance(value, bool):
        raise UserError(f'{setting} is {value!r}; use True or False.')


def instance_of(setting: str, value: object, kind: type, *, or_none: bool = False) -> None:
    """Refuse what is no instance of the class (nor `None`, if that is allowed)."""
    if not (isinstance(value, kind) or (value is None and or_none)):
        example = f'{kind.__name__}(...){" or None" if or_none else ""}'
        raise UserError(f'{setting} is {_short(value)}; use {example}.')


def named_owner(setting: str, owner: object) -> str | None:
    """The owner that the application names for a run; refuse what is neither a text nor `None`."""
    if owner is None or (isinstance(owner, str) and owner):
        return owner
    raise UserError(f'{setting}(owner=...) returned {owner!r}; it must return the owner as text, or None.')


def one_toolset(owner: str, value: object) -> None:
    """Refuse what is no toolset to wrap."""
    if not isinstance(value, AbstractToolset):
        advice = f'{owner}(CombinedToolset([...]))' if is_array(value) else f'{owner}(toolset)'
        raise UserError(f'{owner} wraps one toolset and got {_short(value)}; write {advice}.')


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f'{text[:79]}…'
