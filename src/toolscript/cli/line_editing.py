"""Lines typed in, with their history, and functions completed."""

import builtins
import keyword
import os
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

_MOST_LINES = 10_000


@contextmanager
def line_editing(functions: Sequence[str]) -> Generator[None]:
    """Completion with TAB and a history that is there the next time, where Python was built with `readline`."""
    try:
        import readline
    except ImportError:
        yield
        return
    file = history_file()
    with suppress(OSError):
        readline.read_history_file(file)
    names = sorted({*functions, 'search_tools', 'await', *keyword.kwlist, *dir(builtins)} - {''})
    before = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(lambda text, state: completed(text, names, state))
    readline.set_completer_delims(' \t\n`~!@#$%^&*()-=+[{]}\\|;:\'",<>/?')
    readline.parse_and_bind('tab: complete')
    try:
        yield
    finally:
        readline.set_completer(before[0])
        readline.set_completer_delims(before[1])
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            readline.set_history_length(_MOST_LINES)
            readline.write_history_file(file)


def completed(text: str, names: Sequence[str], state: int) -> str | None:
    """The completion of that number, as `readline` asks for them; tools come before what Python has anyway."""
    found = [name for name in names if name.startswith(text) and (text.startswith('_') or not name.startswith('_'))]
    if not found and re.fullmatch(r'\w+', text):
        # A part of the name, as in what a server's name stands before.
        found = [name for name in names if text in name]
    return found[state] if state < len(found) else None


def history_file() -> Path:
    """Where the lines are kept."""
    state = os.environ.get('XDG_STATE_HOME') or '~/.local/state'
    return Path(state).expanduser() / 'toolscript' / 'history'
