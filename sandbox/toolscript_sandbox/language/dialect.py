"""The dialect: one table of what a script may use, and how each thing is provided. `dialect.toml` holds its rows.

`analysis` resolves names with it, `validator` refuses what it does not list, `transforms` and `polyfills` provide what
it says they provide, and `docs/reference/dialect.md` and the differential tests are made from it. A name is provided

- by Monty itself (`monty`);
- by a transform of the tree (`transform`);
- by a polyfill, Python source that runs inside Monty (`polyfill`): `polyfills/<module>.py` defines it;
- by the host's own library, which a helper process runs (`host`): the polyfill of that module asks for it with
  `_host__`, so it cannot be used where a script cannot wait (`language/waiting.py`);
- not at all (`refused`), with what to write instead.

Where a session has folders, `FILES` is offered beside it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

Provider: TypeAlias = Literal['monty', 'transform', 'polyfill', 'host']


@dataclass(frozen=True)
class NameTable:
    """The names of a module, or the methods of a type. Each text holds names with blanks between them."""

    monty: str = ''
    transform: str = ''
    polyfill: str = ''
    host: str = ''
    refused: Mapping[str, str] = field(default_factory=dict[str, str])
    """What to write instead, for names that are asked for."""
    members: Mapping[str, str] = field(default_factory=dict[str, str])
    """What to write instead of members of its objects, in scripts that use the module."""

    @cached_property
    def providers(self) -> Mapping[str, Provider]:
        """How each name is provided."""
        found: dict[str, Provider] = dict.fromkeys(self.monty.split(), 'monty')
        found.update(dict.fromkeys(self.transform.split(), 'transform'))
        found.update(dict.fromkeys(self.polyfill.split(), 'polyfill'))
        found.update(dict.fromkeys(self.host.split(), 'host'))
        return found


def _by_name(texts: Mapping[str, str]) -> Mapping[str, str]:
    """An entry for each name of the keys."""
    return {name: text for names, text in texts.items() for name in names.split()}


def _names(row: Mapping[str, Any]) -> NameTable:
    found: dict[str, Any] = {key: value if isinstance(value, str) else _by_name(value) for key, value in row.items()}
    return NameTable(**found)


_TABLE = tomllib.loads((files('toolscript_sandbox') / 'language' / 'dialect.toml').read_text('utf-8'))
MODULES: Mapping[str, NameTable] = {module: _names(row) for module, row in _TABLE['modules'].items()}
"""What can be imported. A module of which a polyfill has names is imported only for what Monty has of it."""
FILES: Mapping[str, NameTable] = {holder: _names(row) for holder, row in _TABLE['files'].items()}
"""What is offered, or refused with other words, where the session has folders; `*` means the whole module."""
PATHS: NameTable = _names(_TABLE['paths'])
"""The methods of paths that Monty lacks and that ask for no file; `polyfills/pathlib.py` has them."""
BUILTINS: NameTable = _names(_TABLE['builtins'])
"""The builtins that Monty lacks or has otherwise; all others are Monty's own."""
METHODS: Mapping[str, NameTable] = {kind: _names(row) for kind, row in _TABLE['methods'].items()}
"""The methods of builtin types that Monty lacks; `polyfills/methods.py` has them, but for those that are refused."""
CLASS_METHODS: Mapping[str, frozenset[str]] = {
    kind: frozenset(names.split()) for kind, names in _TABLE['class_methods'].items()
}
"""Methods of types that a polyfill has: `maketrans` of `str` is `str_maketrans` there."""
CLASS_MEMBERS: Mapping[str, str] = _by_name(_TABLE['class_members'])
"""Methods that are not asked for objects of a script's class, with what to write instead."""
ATTRIBUTES: Mapping[str, str] = _by_name(_TABLE['attributes'])
"""Attributes that CPython's functions, classes and exceptions have and those here lack, with what to write instead."""
ADVICE: Mapping[str, str] = _by_name(_TABLE['absent_modules'])
"""What to use in place of a module that is not in the table."""
FORGOTTEN: Mapping[str, str] = {name: module for module, names in _TABLE['forgotten'].items() for name in names.split()}
"""The modules of names that scripts use without importing them."""
NO_FILES = 'There are no files here: call the functions you were given.'


@lru_cache(maxsize=64)
def names_of_module(module: str, *, has_files: bool = False) -> NameTable:
    """The names of a module of the table, in a session with folders or without."""
    names, more = MODULES[module], FILES.get(module)
    if more is None or not has_files:
        return names
    return replace(names, monty=f'{names.monty} {more.monty}', refused={**names.refused, **more.refused})
