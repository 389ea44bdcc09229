"""Writes `docs/reference/dialect.md`, about the dialect: `python -m tests.sandbox.dialect_page`, on Python 3.11."""

import builtins
import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

from toolscript_sandbox.language.dialect import (
    ADVICE,
    ATTRIBUTES,
    BUILTINS,
    CLASS_MEMBERS,
    CLASS_METHODS,
    METHODS,
    MODULES,
)

PAGE = Path(__file__).parents[2] / 'docs' / 'reference' / 'dialect.md'
_HEAD = """# Names of the dialect

[The dialect of Python](../python.md) says how scripts differ from Python. This page lists the names that they may use; all others are refused.
`all but` refers to the public names of the module in Python 3.11.
"""


def generated() -> str:
    """Return the page as Markdown."""
    return '\n'.join([_HEAD, *_lines(), ''])


def refused() -> Mapping[str, str]:
    """Return the missing names, each with its replacement."""
    found = dict(ADVICE)
    for module, names in MODULES.items():
        found |= {f'{module}.{name}': advice for name, advice in names.refused.items()}
    found |= {_as_written(name): advice for name, advice in BUILTINS.refused.items()}
    for kind, names in METHODS.items():
        found |= {f'{kind}.{name}': advice for name, advice in names.refused.items()}
    return {name: advice for name, advice in found.items() if advice}


def _as_written(name: str) -> str:
    return f'{name}()' if name.islower() and hasattr(builtins, name) else name


def _lines() -> Iterator[str]:
    had = {module: _had(module) for module, names in sorted(MODULES.items()) if names.providers}
    yield from ('## Modules', '', f'Complete: {_code(module for module, text in had.items() if not text)}.', '')
    yield from (f'- `{module}`: {text}' for module, text in had.items() if text)
    yield from ('', '## Methods added to builtin types', '')
    for kind, names in sorted(METHODS.items()):
        own = {name for whole, of in CLASS_METHODS.items() if whole.rpartition('.')[2] == kind for name in of}
        if names.providers or own:
            yield f'- `{kind}`: {_code({*names.providers, *own})}'
    yield from ('', '## Refused attributes and special methods', '')
    yield f'{_code([*(f".{name}" for name in ATTRIBUTES), *CLASS_MEMBERS])}. The error says what to write instead.'
    yield from ('', '## What to write instead', '')
    alike: dict[str, list[str]] = {}
    for name, advice in sorted(refused().items()):
        alike.setdefault(advice, []).append(name)
    yield from (f'- {_code(names)}: {advice}' for advice, names in alike.items())


def _had(module: str) -> str:
    """Describe the part of a module that scripts may use; empty if it is everything that Python has."""
    has = set(MODULES[module].providers)
    lacks = _public(importlib.import_module(module)) - has
    if not lacks:
        return ''
    but_for = f'all but {_code(lacks)}'
    return but_for if 2 * len(lacks) < len(has) else _code(has)


def _public(module: ModuleType) -> set[str]:
    names = getattr(module, '__all__', None) or [
        name for name, value in vars(module).items() if not isinstance(value, ModuleType)
    ]
    return {name for name in names if not name.startswith('_')}


def _code(names: Iterator[str] | set[str] | list[str]) -> str:
    return ', '.join(f'`{name}`' for name in sorted(names))


if __name__ == '__main__':
    PAGE.write_text(generated())
