"""The generated part of `docs/python.md`: tables of what the dialect has. `python -m tests.sandbox.dialect_page` writes it anew."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from toolscript_sandbox.language.dialect import (
    ADVICE,
    ATTRIBUTES,
    BUILTINS,
    CLASS_MEMBERS,
    CLASS_METHODS,
    METHODS,
    MODULES,
    Names,
)

PAGE = Path(__file__).parents[2] / 'docs' / 'python.md'
START, END = '<!-- generated from the table of the dialect -->', '<!-- end of the generated part -->'


def generated() -> str:
    """The tables, in Markdown."""
    return '\n'.join(_lines())


def parts() -> tuple[str, str, str]:
    """The page before the tables, the tables, and the page behind them."""
    before, _, rest = PAGE.read_text().partition(START)
    tables, _, after = rest.partition(END)
    return before, tables.strip('\n'), after


def refused() -> Mapping[str, str]:
    """What is not there, with what to write instead."""
    found = dict(ADVICE)
    for module, names in MODULES.items():
        found |= {f'{module}.{name}': advice for name, advice in names.refused.items()}
    found |= {f'{name}()' if name.islower() else name: advice for name, advice in BUILTINS.refused.items()}
    for kind, names in METHODS.items():
        found |= {f'{kind}.{name}': advice for name, advice in names.refused.items()}
    found |= {f'.{name}': advice for name, advice in ATTRIBUTES.items()}
    return {name: advice for name, advice in found.items() if advice}


def _lines() -> Iterator[str]:
    yield from ('### Modules', '', '| module | names |', '|---|---|')
    for module, names in sorted(MODULES.items()):
        if names.providers:
            yield f'| `{module}` | {_names(names)} |'
    yield from ('', '### Methods that the sandbox adds to its own', '', '| type | methods |', '|---|---|')
    for kind, names in sorted(METHODS.items()):
        own = sorted(name for whole, of in CLASS_METHODS.items() if whole.rpartition('.')[2] == kind for name in of)
        if names.providers or own:
            yield f'| `{kind}` | {" ".join(f"`{name}`" for name in sorted({*names.providers, *own}))} |'
    yield from ('', '### What to write instead', '', '| missing | instead |', '|---|---|')
    for name, advice in sorted(refused().items()):
        yield f'| `{name}` | {advice.replace("|", chr(92) + "|")} |'
    yield from ('', '### Methods of classes that are not asked', '', '| method | instead |', '|---|---|')
    for name, advice in sorted(CLASS_MEMBERS.items()):
        yield f'| `{name}` | {advice} |'


def _names(names: Names) -> str:
    return ' '.join(f'`{name}`' for name in sorted(names.providers))


if __name__ == '__main__':
    _before, _, _after = parts()
    PAGE.write_text(f'{_before}{START}\n\n{generated()}\n\n{END}{_after}')
