"""The stage of all evals: it opens each world again, and starts its file server once."""

from collections.abc import AsyncGenerator

import pytest

from evals.stage import Stage


@pytest.fixture(scope='session')
async def stage(anyio_backend: str) -> AsyncGenerator[Stage]:
    async with Stage() as stage:
        yield stage
