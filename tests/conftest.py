"""Fixtures and settings shared by all tests."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from pydantic_ai import models
from xdist.remote import Producer  # pyright: ignore[reportMissingTypeStubs]
from xdist.scheduler import LoadFileScheduling  # pyright: ignore[reportMissingTypeStubs]

from demo.installation import CannotInstall
from demo.routing import create
from tests.data_sets import NO_DATA, SHARED
from tests.postgres_server import Server, postgres_server, programs

# Importing the MCP client takes longer than most tests, and most tests do not need it.
if TYPE_CHECKING:
    from pydantic_ai.mcp import MCPToolset

# A test that calls a real provider is a mistake; tests with a local provider set this themselves.
models.ALLOW_MODEL_REQUESTS = False

# Modules and collected tests live until the end, so the garbage collector need not visit them.
gc.disable()

# No test measures time, since the machine may be busy. In CI the examples are the
# same each time, so that failures are reproducible, and there are fewer; elsewhere they are random.
settings.register_profile(
    'without clocks',
    deadline=None,
    derandomize=bool(os.environ.get('CI')),
    max_examples=40 if os.environ.get('CI') else 100,
    database=None,
    print_blob=True,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
        HealthCheck.large_base_example,
    ],
)
settings.load_profile('without clocks')

pytest_plugins = ['tests.stuck']

_HERE = Path(__file__).parent

_NEEDS = {'postgres': 'postgres', 'filesystem_server': 'node', 'memory_server': 'node', 'everything_server': 'node'}
"""Fixtures, and the markers of the tests that use them."""

_WAITS = {'browser', 'engines', 'node', 'postgres'}
"""Markers of tests that wait for servers."""

_PROVIDERS = ('tests/evals/', 'tests/wires/', 'tests/toolscript/discovery/test_search_config.py')
"""What needs the SDKs of providers."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for versions other than the pinned ones."""
    parser.addoption(
        '--one-of-each', action='store_true', help='of a test with parameters, try the first of them alone'
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With the option, keep only the first case of each test."""
    if config.getoption('--one-of-each'):
        chosen = {*{item.nodeid.partition('[')[0]: item for item in reversed(items)}.values()}
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = [item for item in items if item in chosen]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Order the tests, and collect garbage again, but ignore all current objects.

    Files that wait for servers come first, while other targets of CI use the processors; small files come last.
    """
    files = Counter(_together(item.nodeid) for item in session.items)
    waiting = {_together(item.nodeid) for item in session.items if _WAITS & {mark.name for mark in item.iter_markers()}}
    session.items.sort(key=lambda item: (_together(item.nodeid) not in waiting, -files[_together(item.nodeid)]))
    gc.freeze()
    gc.enable()


def _together(nodeid: str) -> str:
    """Each file runs in one process, and so do all that need the SDKs of providers, which take seconds to import."""
    return 'providers' if nodeid.startswith(_PROVIDERS) else nodeid.partition('::')[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling:
    """Return what gives the files to the processes in their order."""
    config.option.loadscopereorder = False
    return _Scheduling(config, log)


class _Scheduling(LoadFileScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return _together(nodeid)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what a test needs, as its fixtures show."""
    for fixture in {*getattr(item, 'fixturenames', ())} & {*_NEEDS}:
        item.add_marker(_NEEDS[fixture])


@pytest.fixture(scope='session')
def anyio_backend() -> str:
    """The event loop that pydantic-ai runs on."""
    return 'asyncio'


@pytest.fixture(scope='session')
def postgres() -> Generator[Server]:
    """A PostgreSQL server for the tests, each of which uses its own schemas."""
    pytest.importorskip('psycopg', reason='psycopg is not installed')
    found = programs()
    if found is None:
        pytest.skip('there is no PostgreSQL: no wheel of pgserver for this Python or machine, and no initdb')
    with postgres_server(found) as server:
        yield server


@pytest.fixture
def without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes the keys of all providers from the environment."""
    for name in [*os.environ]:
        if name.endswith(('_API_KEY', '_ACCESS_KEY', '_TOKEN')):
            monkeypatch.delenv(name)


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Set the loop for `run_sync`, which would otherwise create one and leave it open."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield loop
    loop.close()
    asyncio.set_event_loop(None)


@pytest.fixture(scope='session')
def shared() -> Path:
    """The folder of data sets for measurements; its tests are skipped if it is missing."""
    if not SHARED.is_dir():
        pytest.skip(NO_DATA)
    return SHARED


@pytest.fixture(scope='session')
async def workshop_server(anyio_backend: str) -> AsyncIterator[MCPToolset[object]]:
    """Our MCP server of unusual tools, ``servers/workshop.py``, in the state that earlier tests left."""
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai.mcp import MCPToolset

    server = StdioTransport(sys.executable, [str(_HERE / 'servers' / 'workshop.py')], keep_alive=False)
    async with MCPToolset[object](server, id='workshop', init_timeout=60) as toolset:
        yield toolset


@pytest.fixture
async def workshop(workshop_server: MCPToolset[object]) -> MCPToolset[object]:
    """Our MCP server of unusual tools, in its initial state."""
    await workshop_server.direct_call_tool('ledger-clear', {})
    return workshop_server


@pytest.fixture(scope='session')
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The git repository of the demo: 14 commits by four people to the routing rules of a shop."""
    folder = tmp_path_factory.mktemp('repository')
    create(folder)
    return folder


def _server(name: str, *, of: str | None = None, file: str = '') -> Any:
    """Return a fixture: an MCP server of the demo for a path in the folder of the fixture `of`."""

    @pytest.fixture(scope='session', name=f'{name}_server')
    async def server(anyio_backend: str, request: pytest.FixtureRequest) -> AsyncIterator[MCPToolset[object]]:
        folder: list[Path] = [] if of is None else [request.getfixturevalue(of) / file]
        async with _started(name, *folder) as toolset:
            yield toolset

    return server


git_server = _server('git', of='repository')
time_server = _server('time')
sqlite_server = _server('sqlite', of='empty_folder', file='empty.db')
filesystem_server = _server('filesystem', of='empty_folder')
memory_server = _server('memory', of='empty_folder', file='graph.jsonl')
everything_server = _server('everything')


@pytest.fixture(scope='session')
def empty_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the servers of this test run."""
    return tmp_path_factory.mktemp('servers')


@asynccontextmanager
async def _started(name: str, *arguments: Path) -> AsyncGenerator[MCPToolset[object]]:
    from demo import servers

    try:
        toolset: MCPToolset[object] = getattr(servers, name)(*arguments)
    except CannotInstall as error:
        # In CI, a missing server must fail, unless the machine has no node.
        if os.environ.get('CI') and not error.needs_node:
            raise
        pytest.skip(f'the MCP server {name!r} cannot be installed: {error}')
    async with toolset:
        yield toolset
