"""`toolscript run` asks on a terminal for the approvals that its calls need."""

import fcntl
import os
import pty
import re
import sys
import termios
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import Popen, TimeoutExpired

ROOT = Path(__file__).parent.parent.parent


class Terminal:
    """The terminal of a command."""

    def __init__(self, end: int) -> None:
        self._end = end

    def until(self, pattern: str) -> str:
        """What the command writes before a pattern."""
        raw, said = b'', ''
        while not (found := re.search(pattern, said)):
            raw += os.read(self._end, 4096)
            said = re.sub(r'\x1b\[[?0-9;]*[A-Za-z]|\r', '', raw.decode(errors='ignore'))
        return said[: found.start()]

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._end, text.encode())


@contextmanager
def running(script: Path, code: str) -> Generator[tuple[Terminal, Popen[bytes]]]:
    """The command, while it runs the script."""
    script.write_text(code)
    end, other = pty.openpty()
    process = Popen(
        [sys.executable, '-m', 'toolscript', 'run', 'tests.cli.shop:tools', str(script)],
        stdin=other,
        stdout=other,
        stderr=other,
        cwd=ROOT,
        env={**os.environ, 'NO_COLOR': '1', 'TERM': 'dumb', 'COLUMNS': '80'},
        start_new_session=True,
        # As a terminal does it: Ctrl-C then goes to all processes that the command has started.
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(other)
    try:
        yield Terminal(end), process
    finally:
        process.kill()
        process.wait()
        os.close(end)


DECIDED = """\
print(await refund(17))
try:
    await refund(18)
except PermissionError as error:
    print(error)
print(len([await refund(n) for n in range(3)]), 'in all')
"""


def test_a_call_is_changed_the_next_denied_and_all_others_approved(tmp_path: Path) -> None:
    with running(tmp_path / 'script.py', DECIDED) as (terminal, process):
        assert 'refund:\n  order_id = 17\n' in terminal.until('Approve')
        terminal.type('e\n')
        terminal.until('Arguments as JSON')
        terminal.type('{"order_id": 17, "percent": 50}\n')
        assert '50% of order 17 refunded' in terminal.until('Approve')
        terminal.type('n\n')
        terminal.until('Why not')
        terminal.type('too late\n')
        assert 'refund was not approved: too late' in terminal.until('Approve')
        terminal.type('a\n')
        terminal.until('3 in all')
        assert process.wait() == 0


def test_ctrl_c_ends_it_where_it_asks(tmp_path: Path) -> None:
    with running(tmp_path / 'script.py', 'await refund(1)') as (terminal, process):
        terminal.until('dit arguments')
        terminal.type('\x03')
        assert process.wait() == 130


def test_ctrl_d_ends_it_where_it_asks(tmp_path: Path) -> None:
    with running(tmp_path / 'script.py', 'await refund(1)') as (terminal, process):
        terminal.until('dit arguments')
        while process.poll() is None:
            # What is pressed before the prompt reads the terminal is lost.
            terminal.type('\x04')
            with suppress(TimeoutExpired):
                process.wait(0.2)
        assert process.wait() == 1
