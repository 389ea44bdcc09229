"""Suggestions for misspelled names, and for what the dialect lacks. They never suggest anything that is refused."""

import builtins
import difflib
from collections.abc import Iterable
from datetime import datetime

from .dialect import ADVICE, BUILTINS, FORGOTTEN, names_of_module


def about_name(name: str) -> str | None:
    """Return advice about a builtin that the dialect lacks, or a name that needs an import; None for other names."""
    if name in BUILTINS.refused:
        return f'There is no {name} here. {BUILTINS.refused[name]}'.rstrip()
    return f'Write `from {FORGOTTEN[name]} import {name}` first.' if name in FORGOTTEN else None


def about_module(module: str) -> str:
    """Return the message about a module that the dialect lacks."""
    advice = (
        ADVICE.get(module) or ADVICE.get(module.partition('.')[0]) or 'Use the modules and functions that are here.'
    )
    return f'There is no module {module} here. {advice}'


def about_member(module: str, name: str, *, has_files: bool = False) -> str:
    """Return the message about a name that a module lacks."""
    if f'{module}.{name}' in ADVICE:
        return about_module(f'{module}.{name}')
    names = names_of_module(module, has_files=has_files)
    missing = f'There is no {module}.{name} here.'
    if name in names.refused:
        return f'{missing} {names.refused[name]}'
    if module == 'datetime' and hasattr(datetime, name):
        return f'{missing} It is a method of the class datetime.datetime.'
    offered = sorted(names.providers)
    close = closest(name, offered)
    if close:
        return f'{missing}{did_you_mean(close)}'
    return f'{missing} {module} has: {", ".join(offered[:_SHOWN])}{", ..." if len(offered) > _SHOWN else "."}'


def meant(name: str, known: Iterable[str]) -> str:
    """Ask "did you mean" with the closest names, among `known` and builtins."""
    return did_you_mean(closest(name, [*known, *builtin_names()], cutoff=0.7))


def did_you_mean(names: list[str]) -> str:
    """Ask "did you mean" with these names; return an empty text if there are none."""
    return f' Did you mean {" or ".join(names)}?' if names else ''


def closest(name: str, names: Iterable[str], *, cutoff: float = 0.6) -> list[str]:
    """Return up to three names with similar spelling, but never the name itself."""
    candidates = [one for one in dict.fromkeys(names) if one != name and not one.startswith('_')]
    return difflib.get_close_matches(name, candidates, n=3, cutoff=cutoff)


def builtin_names() -> list[str]:
    """Return the builtins that a script may use."""
    return [name for name in dir(builtins) if name not in BUILTINS.refused]


_SHOWN = 40
