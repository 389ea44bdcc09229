"""`toolscript run` without a script, on a terminal."""

import fcntl
import json
import os
import pty
import re
import select
import sys
import termios
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import Popen

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from toolscript.cli.repl import FunctionCompleter

ROOT = Path(__file__).parent.parent.parent
SHOP = 'tests.cli.shop:tools'


class Terminal:
    """A command on its own terminal."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.home = home
        self._end, other = pty.openpty()
        environment = {**os.environ, 'XDG_STATE_HOME': str(home), 'NO_COLOR': '1', 'TERM': 'dumb', 'COLUMNS': '80'}
        command = [sys.executable, '-m', 'toolscript', *arguments]
        self.process = Popen(
            command,
            stdin=other,
            stdout=other,
            stderr=other,
            cwd=ROOT,
            env=environment,
            start_new_session=True,
            # As on a terminal, Ctrl-C goes to all processes of the command.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(other)
        self.output = ''

    def until(self, pattern: str) -> str:
        """Return the output up to a pattern that has not occurred before."""
        raw, output = b'', ''
        while not (found := re.search(pattern, output)):
            assert select.select([self._end], [], [], 300)[0], f'{pattern!r} does not come after {output!r}'
            raw += os.read(self._end, 4096)
            output = re.sub(r'\x1b\[[?0-9;]*[A-Za-z]|\r', '', raw.decode(errors='ignore'))
        self.output += output
        return output[: found.start()]

    def end(self) -> int:
        """Press Ctrl-D until the command ends: a key press before the prompt is lost."""
        while self.process.poll() is None:
            self.type('\x04')
            if select.select([self._end], [], [], 0.2)[0]:
                with suppress(OSError):
                    os.read(self._end, 4096)
        return self.process.wait()

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())

    def enter(self, line: str, until: str = '\n>>> ') -> str:
        """Type a line, and return the output up to a pattern."""
        self.type(f'{line}\n')
        return self.until(until)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._end)


@pytest.fixture(scope='module')
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path_factory.mktemp('state'), 'run', SHOP)
    terminal.until('>>> ')
    yield terminal
    terminal.close()


@pytest.mark.long
def test_a_server_that_dies_is_started_again(tmp_path: Path) -> None:
    orders, config = tmp_path / 'orders', tmp_path / 'mcp.json'
    orders.write_text('live')
    arguments = [str(ROOT / 'tests' / 'servers' / 'mortal.py'), str(orders)]
    config.write_text(json.dumps({'mcpServers': {'clinic': {'command': sys.executable, 'args': arguments}}}))
    terminal = Terminal(tmp_path, 'run', str(config))
    try:
        terminal.until('>>> ')
        assert 'was lost during die' in terminal.enter('await clinic_die()')
        assert "'beats'" in terminal.enter('await clinic_pulse()')
        assert 'pydantic-ai v' not in terminal.output
    finally:
        terminal.close()


def test_variables_persist_and_statements_may_span_lines(terminal: Terminal) -> None:
    output = terminal.enter('orders = await orders_of(2)')
    assert 'line 1: orders_of(customer_id=2)' in output
    assert output.rstrip().endswith('ms)')
    assert terminal.enter("for order in orders:\n    print(order['id'])\n").split()[-2:] == ['20', '21']
    assert '[12.5, 3.0]' in terminal.enter('[order["total"] for order in orders]')


def test_signatures_of_functions_are_shown(terminal: Terminal) -> None:
    output = terminal.enter('?orders_of')
    assert 'async def orders_of(customer_id: int, newest: bool = False) -> list[Order]:' in output
    assert '"""All orders of a customer."""' in output
    assert 'There is no function ordersof. The closest: orders_of' in terminal.enter('?ordersof')


def test_an_approval_is_requested_and_may_change_arguments(terminal: Terminal) -> None:
    asked = terminal.enter('await refund(17)', 'Approve')
    assert 'refund:\n  order_id = 17\n' in asked
    terminal.enter('e', 'Arguments as JSON')
    assert "'50% of order 17 refunded'" in terminal.enter('{"order_id": 17, "percent": 50}')
    terminal.enter('await refund(18)', 'Approve')
    terminal.enter('n', 'Why not')
    assert 'PermissionError: refund was not approved: too late' in terminal.enter('too late')


def test_one_answer_approves_all_calls_of_a_tool(terminal: Terminal) -> None:
    terminal.enter('len([await refund(n) for n in range(3)])', 'Approve')
    output = terminal.enter('a')
    assert output.count('→ refund') == 3
    assert output.endswith('3')


@pytest.mark.parametrize('where', ['on the terminal', 'in another thread'])
def test_an_interrupted_script_leaves_the_next_one_usable(terminal: Terminal, where: str) -> None:
    terminal.enter('kept = 1')
    interrupt = 'interrupt()' if where == 'in another thread' else 'orders_of(1)'
    terminal.type(f'await {interrupt}; await asyncio.sleep(50)\n')
    if where == 'on the terminal':
        terminal.until('→ orders_of')
        terminal.type('\x03')
    assert 'broken off' in terminal.until('>>> ')
    assert terminal.enter('kept + 1').endswith('2')


def test_end_of_input_exits_and_saves_the_history(terminal: Terminal) -> None:
    assert terminal.end() == 0
    assert 'orders = await orders_of(2)' in (terminal.home / 'toolscript' / 'history').read_text()


def test_completion_matches_any_part_of_a_function_name() -> None:
    completer = FunctionCompleter(['git_log', 'git_status'])
    assert [each.text for each in completer.get_completions(Document('x = git_'), CompleteEvent())] == [
        'git_log',
        'git_status',
    ]
    assert [each.text for each in completer.get_completions(Document('status'), CompleteEvent())] == ['git_status']
