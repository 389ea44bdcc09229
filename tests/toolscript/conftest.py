"""Fixtures for the tests about pauses."""

import secrets
from collections.abc import Generator

import pytest

from tests.postgres_server import Server
from tests.toolscript.every_store import make
from tests.toolscript.stores.wire import Wire

__all__ = ['make']


@pytest.fixture(autouse=True)
def _patient_previews(monkeypatch: pytest.MonkeyPatch) -> None:
    # On a busy machine, a preview could exceed its time limit, and would show fewer changes.
    monkeypatch.setattr('toolscript.plans.preview.SECONDS', 3_600)


@pytest.fixture
def schema() -> str:
    return f'test_{secrets.token_hex(6)}'


@pytest.fixture
def wire(postgres: Server) -> Generator[Wire]:
    """Yield a connection to the server that can be cut or stalled."""
    with Wire(postgres.folder / '.s.PGSQL.5432') as wire:
        yield wire
