"""Every store keeps versions of functions: whole, for one owner, until somebody removes them."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from tests.toolscript.every_store import StoreMaker
from toolscript import DirectoryStore, SqliteStore

pytestmark = pytest.mark.anyio


async def test_the_newest_version_of_each_name_is_found_and_all_of_one(make: StoreMaker, tmp_path: Path) -> None:
    store = make(tmp_path)
    assert await store.newest_versions('a.1') == {}
    for name, version, text in (('top', 1, 'one'), ('top', 2, 'two'), ('total', 1, 'sum')):
        assert await store.put_version('a.1', name, version, text)
    assert await store.newest_versions('a.1') == {'top': (2, 'two'), 'total': (1, 'sum')}
    assert await store.newest_versions('a.1', ['top', 'none']) == {'top': (2, 'two')}
    assert list((await store.all_versions('a.1', 'top')).items()) == [(1, 'one'), (2, 'two')]
    assert await store.all_versions('a.1', 'none') == {}


async def test_owners_see_nothing_of_each_other(make: StoreMaker, tmp_path: Path) -> None:
    store = make(tmp_path)
    await store.put_version('a.1', 'top', 1, 'of a')
    assert await store.newest_versions('a.2') == {}
    assert await store.all_versions('a.2', 'top') == {}
    assert await store.remove_versions('a.2', 'top') == 0
    assert await store.newest_versions('a.1') == {'top': (1, 'of a')}


async def test_a_version_is_put_once_though_many_put_it_at_the_same_time(make: StoreMaker, tmp_path: Path) -> None:
    store = make(tmp_path)
    put = await asyncio.gather(*(store.put_version('a.1', 'top', 1, f'text {n}') for n in range(20)))
    assert put.count(True) == 1
    assert await store.newest_versions('a.1') == {'top': (1, f'text {put.index(True)}')}


async def test_old_versions_or_all_of_them_can_be_removed(make: StoreMaker, tmp_path: Path) -> None:
    store = make(tmp_path)
    for version in range(1, 13):
        await store.put_version('a.1', 'top', version, str(version))
    assert await store.remove_versions('a.1', 'top', 9) == 9
    assert list(await store.all_versions('a.1', 'top')) == [10, 11, 12]
    assert await store.remove_versions('a.1', 'top') == 3
    assert await store.newest_versions('a.1') == {}
    assert await store.put_version('a.1', 'top', 1, 'anew')


async def test_functions_are_there_in_another_process_and_do_not_go_with_old_scripts(tmp_path: Path) -> None:
    for make in (
        lambda: DirectoryStore(tmp_path / 'files', ttl=timedelta()),
        lambda: SqliteStore(tmp_path / 'file.db', ttl=timedelta()),
    ):
        first = make()
        await first.put_version('a.1', 'top', 1, 'kept')
        await first.save('script.1', 'old')
        assert first.forget_old() == 1
        assert await make().newest_versions('a.1') == {'top': (1, 'kept')}
