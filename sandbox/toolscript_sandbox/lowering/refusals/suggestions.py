"""What a name may have meant. Nothing is suggested that a script could not use."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from toolscript_sandbox.lowering.monty_features import HOMES

from .builtins import MISSING_BUILTINS, builtins_here


def about_missing(name: str) -> str | None:
    """What to do about a builtin that is missing here, or a name that wants an import; None if it is neither."""
    if name in MISSING_BUILTINS:
        return f'There is no {name} here. {MISSING_BUILTINS[name]}'.rstrip()
    return f'Write `from {HOMES[name]} import {name}` first.' if name in HOMES else None


def meant(name: str, known: Iterable[str]) -> str:
    """A question after the closest names: variables and builtins."""
    return asked(closest(name, [*known, *builtins_here()], cutoff=0.7))


def asked(names: list[str]) -> str:
    """The question after these names; nothing, if there are none."""
    return f' Did you mean {" or ".join(names)}?' if names else ''


def closest(name: str, names: Iterable[str], *, cutoff: float = 0.6) -> list[str]:
    """Up to three names that are spelt much like it; never the name itself, which is not to be had."""
    candidates = [one for one in dict.fromkeys(names) if one != name and not one.startswith('_')]
    return difflib.get_close_matches(name, candidates, n=3, cutoff=cutoff)
