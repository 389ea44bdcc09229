"""Kill -9 before, beside and behind the answer of a script: it comes out once, and the model is asked once."""

from pathlib import Path

from tests.sampling import share
from tests.toolscript.durability import crash_lab
from tests.toolscript.durability.crash_lab import CALLS, Moment
from tests.toolscript.lives import MARKS, play

GIVEN = [n * n for n in range(CALLS // 2 + 1)]
DEATHS: list[list[tuple[Moment, int]]] = [
    [('kept', 2)],
    [('kept', 3)],
    [('kept', 4)],
    *([('checkpoint', number)] for number in range(14, 20)),
    [('finished', 15), ('finished', 16), ('finished', 17)],
    [('finished', CALLS), ('kept', 1)],
]
"""None of them in the middle of a call, of which nobody would know what it did."""

pytestmark = MARKS


@share(6)
def test_the_answer_survives(tmp_path: Path, one_in: int) -> None:
    for outcome in play(crash_lab, tmp_path, 'answering', cases=DEATHS[::one_in]):
        assert outcome['died'], outcome
        assert outcome['result'] == GIVEN, outcome
        assert outcome['counts'] == {str(n): 1 for n in range(CALLS)}, outcome
