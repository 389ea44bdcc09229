"""Each transform provides a feature that Monty lacks: when Monty runs its probe, the transform can be deleted.

`probes.txt` has the probes, each below the name of the transform.
"""

from pathlib import Path

import pytest
from pydantic_monty import Monty, MontyError, ResourceLimits

from tests.corpus.table import TABLE
from tests.sandbox.outcomes import completed, run_script
from toolscript_sandbox.language.analysis import SessionFacts, analysed
from toolscript_sandbox.language.syntax import module_of
from toolscript_sandbox.transforms.preparation import FEATURES

_BLOCKS = Path(__file__).with_name('probes.txt').read_text().split('# ---\n')
PROBES = {name: probe for name, _, probe in (block.removeprefix('# ').partition('\n') for block in _BLOCKS)}
UNPROBED = {'SettledGather', 'ToolCalls'}
"""Transforms that do not add a feature to Monty, but make it faster or call tools."""
TRIVIAL = "import json\nrows = json.loads('[1, 2]')\ntotal = sum(rows)\nprint(f'{total}')\ntotal > 2"


def test_each_transform_has_a_probe() -> None:
    assert {feature.__name__ for feature in FEATURES} == PROBES.keys() | UNPROBED


@pytest.mark.parametrize('probe', PROBES.values(), ids=PROBES)
def test_monty_does_not_run_the_probe_of_a_transform(probe: str) -> None:
    compile(probe, '<probe>', 'exec', flags=0x2000)  # top-level await
    limits = ResourceLimits(max_feed_duration_secs=2.0)
    with Monty() as monty, monty.checkout(limits=limits) as session, pytest.raises(MontyError):
        session.feed_run(probe)


@pytest.mark.parametrize('probe', PROBES.values(), ids=PROBES)
async def test_the_sandbox_runs_the_probe_of_a_transform(probe: str) -> None:
    completed(await run_script(probe))


def test_a_trivial_script_needs_only_the_transform_of_imports() -> None:
    analysis = analysed(TRIVIAL, module_of(TRIVIAL), TABLE, SessionFacts())
    assert [feature.feature for feature in FEATURES if feature.needed(analysis)] == [
        'names of builtins and modules that Monty lacks'
    ]


def test_each_transform_runs_after_those_that_it_names() -> None:
    modules = [feature.__module__.rpartition('.')[2] for feature in FEATURES]
    assert [name for at, feature in enumerate(FEATURES) for name in feature.after if name in modules[at:]] == []
