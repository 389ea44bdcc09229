"""The dialect: a table of what scripts may use, and how each name is provided. Its rows are in `dialect.toml`.

`analysis` resolves names with it, `validator` refuses what it does not list, `transforms` and `polyfills` provide their
names, and `docs/reference/dialect.md` and the differential tests are generated from it. A name is provided

- by Monty itself (`monty`);
- by a transform of the tree (`transform`);
- by a polyfill, Python source that runs inside Monty (`polyfill`): `polyfills/<module>.py` defines it;
- by the host's own library, which runs in a helper process (`host`): the polyfill of that module calls it with
  `_host__`, so it cannot be used where a script cannot wait (`language/waiting.py`);
- or never (`refused`), with advice what to write instead.

If a session has folders, `FILES` is available too.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

Provider: TypeAlias = Literal['monty', 'transform', 'polyfill', 'host']


@dataclass(frozen=True)
class NameTable:
    """The names of a module, or the methods of a type. Each text contains names separated by spaces."""

    monty: str = ''
    transform: str = ''
    polyfill: str = ''
    host: str = ''
    refused: Mapping[str, str] = field(default_factory=dict[str, str])
    """What to write instead, for names that models use."""
    members: Mapping[str, str] = field(default_factory=dict[str, str])
    """What to write instead of members of its objects, in scripts that use the module."""
    keywords: Mapping[str, str] = field(default_factory=dict[str, str])
    """What to write instead of keywords of its functions and methods, in scripts that use the module."""

    @cached_property
    def providers(self) -> Mapping[str, Provider]:
        """The provider of each name."""
        found: dict[str, Provider] = dict.fromkeys(self.monty.split(), 'monty')
        found.update(dict.fromkeys(self.transform.split(), 'transform'))
        found.update(dict.fromkeys(self.polyfill.split(), 'polyfill'))
        found.update(dict.fromkeys(self.host.split(), 'host'))
        return found


def _by_name(texts: Mapping[str, str]) -> Mapping[str, str]:
    """Return an entry for each name in the keys."""
    return {name: text for names, text in texts.items() for name in names.split()}


def _names(row: Mapping[str, Any]) -> NameTable:
    found: dict[str, Any] = {key: value if isinstance(value, str) else _by_name(value) for key, value in row.items()}
    return NameTable(**found)


_TABLE = tomllib.loads((files('toolscript_sandbox') / 'language' / 'dialect.toml').read_text('utf-8'))
MODULES: Mapping[str, NameTable] = {module: _names(row) for module, row in _TABLE['modules'].items()}
"""The modules that can be imported. If a polyfill provides names of a module, only Monty's own part is imported."""
FILES: Mapping[str, NameTable] = {holder: _names(row) for holder, row in _TABLE['files'].items()}
"""Names that are provided, or refused with another message, if the session has folders; `*` is the whole module."""
PATHS: NameTable = _names(_TABLE['paths'])
"""The methods of paths that Monty lacks and that do not access files, defined in `polyfills/pathlib.py`."""
BUILTINS: NameTable = _names(_TABLE['builtins'])
"""The builtins that Monty lacks or implements differently; all others are Monty's own."""
METHODS: Mapping[str, NameTable] = {kind: _names(row) for kind, row in _TABLE['methods'].items()}
"""The methods of builtin types that Monty lacks, defined in `polyfills/methods.py` unless they are refused."""
CLASS_METHODS: Mapping[str, frozenset[str]] = {
    kind: frozenset(names.split()) for kind, names in _TABLE['class_methods'].items()
}
"""Class methods of types that a polyfill defines: `maketrans` of `str` is `str_maketrans` there."""
CLASS_MEMBERS: Mapping[str, str] = _by_name(_TABLE['class_members'])
"""Methods of a script's class that would never be called, with what to write instead."""
ATTRIBUTES: Mapping[str, str] = _by_name(_TABLE['attributes'])
"""Attributes of functions, classes and exceptions that exist only in CPython, with what to write instead."""
CALLS: Mapping[str, str] = _by_name(_TABLE['calls'])
"""Names that cannot be called, with what to write instead."""
CLASSES_ASKED_FOR: Mapping[str, str] = _by_name(_TABLE['classes_asked_for'])
"""Classes that `isinstance` does not know, with what to write instead."""
LACKING_OF_ERRORS: Mapping[str, str] = _by_name(_TABLE['lacking_of_errors'])
"""Attributes that exceptions have only in CPython, separated by spaces."""
ADVICE: Mapping[str, str] = _by_name(_TABLE['absent_modules'])
"""What to use instead of a module that is not in the table."""
FORGOTTEN: Mapping[str, str] = {name: module for module, names in _TABLE['forgotten'].items() for name in names.split()}
"""The module of each name that scripts often use without importing it."""
NO_FILES = 'There are no files here: call the functions you were given.'


@lru_cache(maxsize=64)
def names_of_module(module: str, *, has_files: bool = False) -> NameTable:
    """Return the names of a module of the table, in a session with or without folders."""
    names, more = MODULES[module], FILES.get(module)
    if more is None or not has_files:
        return names
    return replace(names, monty=f'{names.monty} {more.monty}', refused={**names.refused, **more.refused})
