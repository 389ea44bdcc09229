"""What every test may ask for."""

import os
from pathlib import Path

import pytest
from pydantic_ai import models

# A test that reaches for a real provider is a mistake; those that talk to a local one say so themselves.
models.ALLOW_MODEL_REQUESTS = False

_REPOSITORY = Path(__file__).parent.parent


@pytest.fixture(scope='session')
def anyio_backend() -> str:
    """The event loop that pydantic-ai runs on."""
    return 'asyncio'


@pytest.fixture(scope='session')
def shared() -> Path:
    """The folder of shared data and vectors beside the checkout; tests that need it are skipped where it is not."""
    folder = Path(os.environ.get('TOOLSCRIPT_SHARED', _REPOSITORY.parent / 'shared'))
    if not folder.is_dir():
        pytest.skip(f'needs the data in {folder.name}/ beside the checkout, or in $TOOLSCRIPT_SHARED')
    return folder
