"""Small programs, as in books and benchmarks, give the same results in the sandbox and in Python."""

import ast
import contextlib
import io
from pathlib import Path
from typing import Any

from tests.corpus.table import Table, answer
from tests.sampling import share
from toolscript_sandbox import Completed, Limits, Sandbox, to_json

_PROGRAMS = (Path(__file__).parent / 'programs.txt').read_text().removesuffix('\n').split('\n#---\n')
_BEYOND = {
    'round(2.5), round(-1.5), round(2.675, 2)': 'Monty rounds 2.675 up',
    'from fractions import Fraction': 'instances cannot be compared by < in Monty',
}
"""Programs that differ, by their beginning, with the reason."""


def _in_python(code: str) -> Any:
    tree = ast.parse(code)
    names: dict[str, Any] = {'__name__': '__main__'}
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(tree, '<program>', 'exec'), names)
        return eval(compile(ast.Expression(last.value), '<program>', 'eval'), names)


@share(2)
async def test_programs_agree_with_python(one_in: int) -> None:
    disagreeing = list[tuple[str, Any, Any]]()
    for program in _PROGRAMS[::one_in]:
        async with Sandbox.shared().session(limits=Limits(max_script_seconds=5)) as session:
            outcome = await session.run(program, Table(), answer)
        got, wanted = outcome.value if isinstance(outcome, Completed) else outcome, to_json(_in_python(program))
        if got != wanted and not program.startswith(tuple(_BEYOND)):
            disagreeing.append((program, got, wanted))
    assert disagreeing == []
