import pytest

from tests.toolscript.plans.worlds import World


@pytest.fixture
def world() -> World:
    return World()
