"""Checks of settings; each error says what is allowed."""

from collections.abc import Collection
from pathlib import PurePath

from pydantic_ai import UserError
from pydantic_ai.toolsets import AbstractToolset

from .guards import is_array


def one_of(setting: str, value: object, choices: Collection[object]) -> None:
    if not isinstance(value, str | None) or value not in choices:
        *others, last = (repr(choice) for choice in choices)
        raise UserError(f'{setting} is {value!r}; use {", ".join(others)} or {last}.')


def at_least(setting: str, value: object, least: int, *, or_none: bool = False) -> None:
    """Refuse anything but a whole number of at least `least` (or `None`, if that is allowed)."""
    if (value is None and or_none) or (type(value) is int and value >= least):
        return
    raise UserError(f'{setting} is {value!r}; use a whole number of at least {least}{" or None" if or_none else ""}.')


def flag(setting: str, value: object) -> None:
    if not isinstance(value, bool):
        raise UserError(f'{setting} is {value!r}; use True or False.')


def instance_of(setting: str, value: object, kind: type, *, or_none: bool = False) -> None:
    """Refuse anything but an instance of the class (or `None`, if that is allowed)."""
    if not (isinstance(value, kind) or (value is None and or_none)):
        example = f'{kind.__name__}(...){" or None" if or_none else ""}'
        raise UserError(f'{setting} is {_short(value)}; use {example}.')


def not_a_path(setting: str, store: object) -> None:
    """Refuse a path or an address in place of a store."""
    if isinstance(store, str | PurePath):
        raise UserError(f'{setting} is {_short(store)}; use a store, such as SqliteStore({str(store)!r}).')


def named_owner(setting: str, owner: object) -> str | None:
    """Return the owner that the application names for a run; refuse anything but text or `None`."""
    if owner is None or (isinstance(owner, str) and owner):
        return owner
    raise UserError(f'{setting}(owner=...) returned {owner!r}; it must return the owner as text, or None.')


def one_toolset(owner: str, value: object) -> None:
    """Refuse anything but a toolset to wrap."""
    if not isinstance(value, AbstractToolset):
        advice = f'{owner}(CombinedToolset([...]))' if is_array(value) else f'{owner}(toolset)'
        raise UserError(f'{owner} wraps one toolset and got {_short(value)}; write {advice}.')


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f'{text[:79]}…'
