"""Each transform provides what Monty lacks: on the day that Monty runs its probe, the transform can go."""

import pytest
from pydantic_monty import Monty, MontyError, ResourceLimits

from toolscript_sandbox.transforms.features import FEATURES
from toolscript_sandbox.transforms.transform import Transform

PROBED = [pytest.param(feature, id=feature.feature) for feature in FEATURES if feature.probe]


@pytest.mark.parametrize('feature', PROBED)
def test_monty_does_not_run_the_probe_of_a_transform(feature: Transform) -> None:
    compile(feature.probe, '<probe>', 'exec', flags=0x2000)  # top-level await
    limits = ResourceLimits(max_feed_duration_secs=2.0)
    with Monty() as monty, monty.checkout(limits=limits) as session, pytest.raises(MontyError):
        session.feed_run(feature.probe)
