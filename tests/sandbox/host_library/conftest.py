"""One host library for all tests of a file."""

from collections.abc import AsyncIterator

import pytest

from toolscript_sandbox.host_library import HostLibrary


@pytest.fixture(scope='module')
async def library(anyio_backend: str) -> AsyncIterator[HostLibrary]:
    """Yield a host library that is closed after the last test."""
    made = HostLibrary()
    yield made
    await made.close()
