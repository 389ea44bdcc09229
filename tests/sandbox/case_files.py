"""Small programs in the guest's language, run in CPython and in the sandbox.

A file of `cases/` holds programs between lines `# ---`. What a program prints, its last expression (as its `repr`, so
that 1, 1.0 and True differ, and a tuple is not a list), the calls that it makes and the exception that ends it must be
those of CPython, which runs the same program in the same test run with the same functions (`case_tools`).

`### words` at the end of a line: the model reads these words (without backquotes) about this line. If CPython runs the
program without error, that is a refusal: nothing may have run. `# from 3.12` above a program: older Pythons differ, and
the sandbox follows the newer ones. `# until 3.12`: newer ones differ, and the sandbox follows the older ones, whose
endings are stored in `expected_3_11.json`, so that a program means the same wherever the sandbox runs. `python -m
tests.sandbox.case_files` writes it again, on 3.11.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import subprocess
import sys
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.sandbox.case_tools import NAMES, CaseTools, stub
from tests.sandbox.tables import Table
from toolscript_sandbox import Call, Dispatch, Failed, Function, Functions, Limits, Outcome, Sandbox, ToolError, to_json

FOLDER = Path(__file__).parent / 'cases'
KEPT = Path(__file__).with_name('expected_3_11.json')


@dataclass(frozen=True)
class Case:
    """A program and its location."""

    file: str
    line: int
    text: str

    @property
    def reported(self) -> dict[int, str]:
        """What the model reads, by line."""
        found = {number: _EXPECTED.search(line) for number, line in enumerate(self.text.split('\n'), 1)}
        return {number: match[1].strip() for number, match in found.items() if match is not None}

    @property
    def follows_newer(self) -> bool:
        """Whether this Python is too old to be the reference."""
        since = _SINCE.search(self.text)
        return since is not None and sys.version_info[:2] < (3, int(since[1]))

    @property
    def follows_older(self) -> bool:
        """Whether this Python is too new to be the reference."""
        return self.last is not None and sys.version_info[:2] > (3, self.last)

    @property
    def last(self) -> int | None:
        """The last minor version of Python with the reference behaviour."""
        last = _UNTIL.search(self.text)
        return None if last is None else int(last[1])

    @property
    def digest(self) -> str:
        """The key of the program in the stored endings."""
        return hashlib.sha256(self.program.encode()).hexdigest()[:16]

    @property
    def program(self) -> str:
        """The program, printing its last expression. The expected words are removed, because errors quote lines."""
        text = _EXPECTED_WORDS.sub('', self.text)
        try:
            tree = ast.parse(text)
        except SyntaxError:
            return text
        last = tree.body[-1]
        if not isinstance(last, ast.Expr) or (
            isinstance(last.value, ast.Call) and ast.unparse(last.value.func) == 'print'
        ):
            return text
        data = text.encode()
        starts = [0, *(place + 1 for place, byte in enumerate(data) if byte == ord('\n'))]
        start = starts[last.lineno - 1] + last.col_offset
        end = starts[(last.end_lineno or 0) - 1] + (last.end_col_offset or 0)
        return b''.join([data[:start], b'print(repr((', data[start:end], b')))', data[end:]]).decode()


@dataclass(frozen=True)
class Ending:
    """The outcome of a program."""

    stdout: str
    error: tuple[str, str] | None
    """Type and message of the exception that ended it."""
    line: int | None
    calls: tuple[str, ...]
    """The calls in the order in which they started."""
    refused: bool = False
    """Whether it was refused before anything ran."""


@cache
def cases(file: str) -> tuple[Case, ...]:
    """Return the programs of a file."""
    found, line = list[Case](), 1
    for text in re.split(r'^# ---\n', (FOLDER / file).read_text(), flags=re.MULTILINE):
        found.append(Case(file, line, text.rstrip('\n')))
        line += text.count('\n') + 1
    return tuple(found)


def in_python(programs: list[str]) -> list[Ending]:
    """Run the programs in CPython, each in its own module."""
    runner = Path(__file__).with_name('run_in_python.py')
    done = subprocess.run(
        [sys.executable, str(runner)],
        input=json.dumps(programs),
        capture_output=True,
        text=True,
        timeout=500,
        check=True,
    )
    return [_ending(**one) for one in json.loads(done.stdout)]


def dispatch_to(tools: CaseTools) -> Dispatch:
    """Return what runs the calls of scripts."""
    functions = tools.namespace()

    async def dispatch(call: Call) -> Any:
        try:
            value = functions[call.function](*call.args, **call.kwargs)
            return to_json(value if call.function in _AT_ONCE else await value)
        except (ValueError, ConnectionError) as error:
            raise ToolError(type(error).__name__, str(error)) from error

    return dispatch


async def in_sandbox(program: str) -> tuple[Ending, Outcome]:
    """Run the program in the sandbox, in its own session."""
    tools = CaseTools()
    async with Sandbox.shared().session(limits=Limits(max_script_seconds=20)) as session:
        outcome = await session.run(program, FUNCTIONS, dispatch_to(tools))
    if not isinstance(outcome, Failed):
        return Ending(outcome.stdout, None, None, tuple(tools.log)), outcome
    error = (outcome.error.type_name, outcome.error.message)
    refused = outcome.error.kind in ('syntax', 'types')
    return Ending(outcome.stdout, error, outcome.error.line, tuple(tools.log), refused), outcome


def disagreement(case: Case, python: Ending, sandbox: Ending) -> str | None:
    """Describe how the two outcomes differ where they must not; None if they agree."""
    if case.reported:
        return _not_reported(case, python, sandbox)
    if python.error is not None:
        kind, message = python.error
        same = sandbox.error is not None and not sandbox.refused and sandbox.error[0] == kind
        if not same or message not in (sandbox.error or ('', ''))[1]:
            return f'CPython ends with {kind}: {message}; the sandbox says: {sandbox.error or "nothing"}'
    elif sandbox.error is not None:
        return f'CPython has no error; the sandbox says: {sandbox.error[1]}'
    if sandbox.stdout != python.stdout:
        return f'CPython prints\n{python.stdout}the sandbox prints\n{sandbox.stdout}'
    return None if sandbox.calls == python.calls else f'CPython calls {python.calls}, the sandbox {sandbox.calls}'


def _not_reported(case: Case, python: Ending, sandbox: Ending) -> str | None:
    message = '' if sandbox.error is None else sandbox.error[1].replace('`', '')
    missing = [
        (line, words) for line, words in case.reported.items() if words not in message or f'line {line}:' not in message
    ]
    if missing:
        return f'the model is not reported {missing}; the sandbox says: {message or "nothing"}\n{sandbox.stdout}'
    if python.error is None and (not sandbox.refused or sandbox.stdout or sandbox.calls):
        return f'it is refused only after something ran: {message}'
    return None


_EXPECTED = re.compile(r'### (.+)$')
_EXPECTED_WORDS = re.compile(r' *### .+$', re.MULTILINE)
_SINCE = re.compile(r'^# from 3\.(\d+)', re.MULTILINE)
_UNTIL = re.compile(r'^# until 3\.(\d+)', re.MULTILINE)
_AT_ONCE = frozenset(['next_number', 'give_back'])


FUNCTIONS: Functions = Table({name: Function(name, stub(name), name in _AT_ONCE) for name in NAMES})
FILES: tuple[str, ...] = tuple(sorted(path.name for path in FOLDER.glob('*.*')))


@cache
def python_endings() -> dict[Case, Ending]:
    """Return CPython's outcomes of all programs, from one process: its start takes longer than most of them."""
    every = [case for file in FILES for case in cases(file)]
    reported = [case for case in every if not case.follows_newer and not case.follows_older]
    endings = dict(zip(reported, in_python([case.program for case in reported]), strict=True))
    return endings | {case: _kept()[case.digest] for case in every if case.follows_older}


def current_endings() -> dict[str, dict[str, Any]]:
    """Return what to store of this Python (3.11): by digest, endings of programs that differ in newer ones."""
    reported = [case for file in FILES for case in cases(file) if case.last is not None]
    endings = in_python([case.program for case in reported])
    return {case.digest: json.loads(json.dumps(asdict(ending))) for case, ending in zip(reported, endings, strict=True)}


@cache
def _kept() -> dict[str, Ending]:
    endings = json.loads(KEPT.read_text())
    return {digest: _ending(**ending) for digest, ending in endings.items()}


def _ending(stdout: str, error: list[str] | None, line: int | None, calls: list[str], refused: bool = False) -> Ending:
    return Ending(stdout, (error[0], error[1]) if error else None, line, tuple(calls), refused)


if __name__ == '__main__':
    KEPT.write_text(json.dumps(current_endings(), indent=1, sort_keys=True) + '\n')
