"""Slightly mutated programs of people and of models, run in the sandbox."""

import ast
from functools import cache
from pathlib import Path
from random import Random

from benchmarks.fuzz import mutations
from tests.corpus.table import TABLE, answer
from toolscript_sandbox import Completed, Limits, Sandbox

_CORPUS = Path(__file__).parents[2] / 'tests' / 'corpus'
_LIBRARY = Path(ast.__file__).parent
_LIMITS = Limits(max_script_seconds=2, max_memory_bytes=64_000_000, max_stdout_bytes=50_000, max_sleep_seconds=1)


async def snippet(random: Random) -> None:
    """Run one program; whatever its outcome, the session and its neighbour still work."""
    program = random.choice(_programs() if random.random() < 0.7 else _functions(random.choice(_files())))
    code = mutations.text(random, program) if random.random() < 0.9 else program
    async with Sandbox.shared().session(limits=_LIMITS) as session, Sandbox.shared().session() as neighbour:
        await session.run(code, TABLE, answer)
        for usable in (session, neighbour):
            outcome = await usable.run('1 + 1', TABLE, answer)
            if not isinstance(outcome, Completed) or outcome.value != 2:
                raise AssertionError(f'1 + 1 became {outcome!r} after:\n{code}')


@cache
def _programs() -> list[str]:
    blocks = [block for file in sorted(_CORPUS.rglob('*.txt')) for block in file.read_text().split('\n#---\n')]
    return [code for block in blocks for code in block.split('\n#+++\n')]


@cache
def _files() -> list[Path]:
    return sorted(_LIBRARY.glob('*.py'))


@cache
def _functions(file: Path) -> list[str]:
    """Return functions and classes of a standard library module, each followed by a final expression."""
    source = file.read_text(errors='replace')
    nodes = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    # `ast.get_source_segment` would split the whole file for each of them.
    lines = source.split('\n')
    texts = ['\n'.join(lines[node.lineno - 1 : node.end_lineno]) for node in nodes]
    return [text for text in texts if len(text) < 5_000] or ['pass']
