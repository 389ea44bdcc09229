"""The generated part of `docs/python.md`: what the dialect has. `python -m tests.sandbox.dialect_page` writes it anew, on Python 3.11."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from toolscript_sandbox.language.dialect import ATTRIBUTES, CLASS_MEMBERS, MODULES

PAGE = Path(__file__).parents[2] / 'docs' / 'python.md'
START, END = '<!-- generated from the table of the dialect -->', '<!-- end of the generated part -->'


def generated() -> str:
    """The lists, in Markdown."""
    return '\n'.join(_lines())


def parts() -> tuple[str, str, str]:
    """The page before the lists, the lists, and the page behind them."""
    before, _, rest = PAGE.read_text().partition(START)
    lists, _, after = rest.partition(END)
    return before, lists.strip('\n'), after


def _lines() -> Iterator[str]:
    had = {module: _had(module) for module, names in sorted(MODULES.items()) if names.providers}
    yield from ('### Modules', '', f'Complete: {_code(module for module, text in had.items() if not text)}.', '')
    yield from (f'- `{module}`: {text}' for module, text in had.items() if text)
    yield from ('', '### Refused attributes and special methods', '')
    yield f'{_code([*(f".{name}" for name in ATTRIBUTES), *CLASS_MEMBERS])}.'


def _had(module: str) -> str:
    """What a script may use of a module: nothing to say if it is all that Python has."""
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
    _before, _, _after = parts()
    PAGE.write_text(f'{_before}{START}\n\n{generated()}\n\n{END}{_after}')
