"""Where the command writes: results on stdout, all else on stderr."""

import sys
from collections.abc import Generator
from contextlib import contextmanager

from rich.console import Console

from toolscript_signatures import with_visible


def results() -> Console:
    """For results. Colours only on a terminal and without `NO_COLOR`; 80 columns wide where there is no terminal."""
    return Console(markup=False, highlight=False, emoji=False)


def notes() -> Console:
    """For what is no result."""
    return Console(stderr=True, markup=False, highlight=False, emoji=False)


def write(text: str) -> None:
    """A result as it is, neither coloured nor wrapped."""
    sys.stdout.write(text if text.endswith('\n') else f'{text}\n')


def complain(text: str) -> None:
    """Tell what is wrong; what others wrote in it does nothing to the terminal."""
    notes().print(with_visible(f'toolscript: {text}'), style='red' if sys.stderr.isatty() else None, soft_wrap=True)


def remark(text: str) -> None:
    """Tell something beside the result."""
    notes().print(with_visible(text), style='dim' if sys.stderr.isatty() else None, soft_wrap=True)


@contextmanager
def working(what: str) -> Generator[None]:
    """Show on a terminal that something is being done."""
    console = notes()
    if not console.is_terminal:
        yield
        return
    with console.status(what):
        yield
