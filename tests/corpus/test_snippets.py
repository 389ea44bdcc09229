"""Snippets in the style of models: valid ones run, faulty ones are stopped before anything runs."""

from pathlib import Path

import pytest

from tests.corpus.loose_table import LOOSE, answer_loosely
from tests.corpus.table import TABLE, answer
from tests.sampling import share
from toolscript_sandbox import Completed, Failed, Outcome, Sandbox

_HERE = Path(__file__).parent
_VALID = sorted((_HERE / 'valid').glob('*.txt'))
_FAULTY = sorted((_HERE / 'faulty').glob('*.txt'))


def _blocks(path: Path) -> list[str]:
    return path.read_text().removesuffix('\n').split('\n#---\n')


async def _outcomes(block: str) -> list[tuple[str, Outcome]]:
    async with Sandbox.shared().session() as session:
        return [(code, await session.run(code, TABLE, answer)) for code in block.split('\n#+++\n')]


@share(3)
@pytest.mark.parametrize('path', _VALID, ids=lambda path: path.stem)
async def test_every_valid_snippet_runs(path: Path, one_in: int) -> None:
    outcomes = [outcome for block in _blocks(path)[::one_in] for outcome in await _outcomes(block)]
    assert [(code, outcome) for code, outcome in outcomes if not isinstance(outcome, Completed)] == []


async def test_no_snippet_with_loose_annotations_is_refused() -> None:
    refused = list[tuple[str, Outcome]]()
    for block in _blocks(_HERE / 'loose.txt'):
        async with Sandbox.shared().session() as session:
            outcome = await session.run(block, LOOSE, answer_loosely)
        if not isinstance(outcome, Completed):
            refused.append((block, outcome))
    assert refused == []


@share(2)
@pytest.mark.parametrize('path', _FAULTY, ids=lambda path: path.stem)
async def test_every_faulty_snippet_is_stopped_before_any_call(path: Path, one_in: int) -> None:
    outcomes = [(block, (await _outcomes(block))[-1][1]) for block in _blocks(path)[::one_in]]
    assert [block for block, outcome in outcomes if not _was_stopped(outcome)] == []


def _was_stopped(outcome: Outcome) -> bool:
    return isinstance(outcome, Failed) and all(record.status == 'not started' for record in outcome.calls)
