"""Scripts reach only the contents of their folders, even if other processes change these."""

from __future__ import annotations

import ast
import errno
import os
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolscript_sandbox import FileLimits, Folder, HostFiles, check_folders

SECRET = b'the secret of the host'


@dataclass(frozen=True)
class Host:
    """A readable folder, a writable one, and a secret beside them."""

    root: Path

    @property
    def files(self) -> HostFiles:
        """Return the folders as a script has them."""
        folders = {'/data': Folder(self.root / 'data'), '/out': Folder(self.root / 'out', writable=True)}
        return HostFiles(folders, FileLimits(file_bytes=1_000_000, entries=1_000))

    def outside(self) -> dict[str, bytes]:
        """Return the content that must not change."""
        secrets = self.root / 'secrets'
        return {str(file): file.read_bytes() for file in sorted(secrets.rglob('*')) if file.is_file()}


@pytest.fixture(scope='module')
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    root = tmp_path_factory.mktemp('host')
    for name in ('data', 'data/sub', 'out', 'out/sub', 'secrets', 'secrets/sub', 'data-2', 'Data'):
        (root / name).mkdir()
    for name in ('secrets/key', 'secrets/sub/key', 'data-2/key', 'Data/key'):
        (root / name).write_bytes(SECRET)
    for folder in ('data', 'out'):
        inside = root / folder
        (inside / 'a.txt').write_text('a')
        (inside / 'sub' / 'b.txt').write_text('b')
        (inside / 'to_file').symlink_to(root / 'secrets' / 'key')
        (inside / 'to_folder').symlink_to(root / 'secrets')
        (inside / 'up').symlink_to('..')
        (inside / 'sub' / 'up').symlink_to('../../secrets')
        (inside / 'root').symlink_to('/')
        (inside / 'self').symlink_to('self')
        (inside / 'to_link').symlink_to('to_file')
        (inside / 'missing').symlink_to(root / 'secrets' / 'new')
        (inside / 'inward').symlink_to('a.txt')
        os.link(root / 'secrets' / 'key', inside / 'second_name')
        os.mkfifo(inside / 'pipe')
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.getcwd()
        os.chdir(root / 'data')
        try:
            listening.bind('socket')
        finally:
            os.chdir(here)
        yield Host(root)


LEADING_OUT = [
    *(ast.literal_eval(f"'{line}'") for line in Path(__file__).with_name('leading_out.txt').read_text().splitlines()),
    '/data/' + '../' * 200 + 'secrets/key',
    '/data/' + 'sub/../' * 80 + '../secrets/key',
    '/data/' + 'x' * 5_000,
    '/data/' + 'x' * 300,
]
"""Return the paths in the file, which has Python's escapes."""
USES: list[tuple[str, Callable[[HostFiles, PurePosixPath], object]]] = [
    ('read', lambda files, path: files.read(path)),
    ('open r', lambda files, path: files.open(path, 'r')),
    ('open w', lambda files, path: files.open(path, 'w')),
    ('open a', lambda files, path: files.open(path, 'a')),
    ('open x', lambda files, path: files.open(path, 'x')),
    ('append', lambda files, path: files.append(path, b'!')),
    ('touch', lambda files, path: files.touch(path, exist_ok=True)),
]


def reported_or_done(use: Callable[[], object]) -> object:
    """Return the result, or the error that a script would see."""
    try:
        return use()
    except OSError as error:
        return error


@pytest.mark.parametrize('use', [pytest.param(use, id=name) for name, use in USES])
def test_no_path_escapes_from_the_folder(host: Host, use: Callable[[HostFiles, PurePosixPath], object]) -> None:
    before = host.outside()
    for text in LEADING_OUT:
        path = PurePosixPath(text)
        with pytest.raises(OSError, match=r'^\[Errno \d+\] ') as raised:
            use(host.files, path)
        assert str(host.root) not in str(raised.value)
        assert raised.value.filename == str(path)
        assert raised.value.__cause__ is None
    assert host.outside() == before
    assert sorted(os.listdir(host.root / 'secrets')) == ['key', 'sub']


@pytest.mark.parametrize('text', LEADING_OUT)
def test_nothing_outside_is_listed_described_moved_or_removed(host: Host, text: str) -> None:
    files, path, before = host.files, PurePosixPath(text), host.outside()
    seen = list[object]()
    for ask in (files.stat, files.kind, files.names, partial(files.tree, depth=None)):
        seen.append(reported_or_done(partial(ask, path)))
    for change in (
        lambda: files.rename(path, PurePosixPath('/out/stolen')),
        lambda: files.rename(PurePosixPath('/out/a.txt'), path),
        lambda: files.mkdir(path / 'new', parents=True, exist_ok=False),
        lambda: files.rmdir(path),
    ):
        seen.append(reported_or_done(change))
        if os.path.lexists(host.root / 'out' / 'stolen'):
            os.rename(host.root / 'out' / 'stolen', host.root / 'out' / text.rpartition('/')[2])
    assert str(host.root) not in repr(seen)
    assert all('key' not in repr(one) for one in seen if not isinstance(one, OSError))
    assert host.outside() == before
    if not (host.root / 'out' / 'a.txt').is_file():
        (host.root / 'out' / 'a.txt').write_text('a')


COMPONENTS = st.sampled_from(
    ['..', '.', 'data', 'out', 'sub', 'up', 'to_folder', 'root', 'secrets', 'key', 'a.txt', 'self', 'etc', 'passwd', '']
) | st.text(max_size=6)


@settings(max_examples=40)
@given(parts=st.lists(COMPONENTS, max_size=12), start=st.sampled_from(['/data/', '/out/', '/', '']))
def test_no_generated_path_reads_or_reveals_anything_outside(host: Host, parts: list[str], start: str) -> None:
    files, path = host.files, PurePosixPath(start + '/'.join(parts))
    for ask in (files.read, files.names, files.stat, partial(files.tree, depth=3)):
        seen = reported_or_done(partial(ask, path))
        assert str(host.root) not in repr(seen)
        if not isinstance(seen, OSError):
            assert SECRET.decode() not in repr(seen)
            assert 'key' not in repr(seen)
            assert 'passwd' not in repr(seen)


def test_a_folder_that_is_swapped_for_a_link_is_never_followed(tmp_path: Path) -> None:
    inside, outside = tmp_path / 'data', tmp_path / 'secrets'
    for folder in (inside / 'real', outside):
        folder.mkdir(parents=True)
    (inside / 'real' / 'f').write_bytes(b'mine')
    (outside / 'f').write_bytes(SECRET)
    link, stop = inside / 'link', threading.Event()
    link.symlink_to(outside)
    files, seen = HostFiles({'/data': Folder(inside, writable=True)}), set[object]()

    def swap() -> None:
        while not stop.is_set():
            os.rename(inside / 'real', inside / 'now')
            os.rename(inside / 'now', inside / 'real')
            os.rename(link, inside / 'now')
            os.rename(inside / 'now', link)

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        for _ in range(500):
            for path in ('/data/now/f', '/data/real/f', '/data/real/../now/f'):
                for use in (files.read, partial(files.append, data=b'')):
                    found = reported_or_done(partial(use, PurePosixPath(path)))
                    seen.add(found.errno if isinstance(found, OSError) else found)
    finally:
        stop.set()
        swapping.join()
    assert seen <= {0, b'mine', errno.ENOENT, errno.ELOOP, errno.ENOTDIR}
    assert b'mine' in seen
    assert (outside / 'f').read_bytes() == SECRET


@pytest.mark.parametrize(
    'use', [HostFiles.read, partial(HostFiles.write, data=b'!'), partial(HostFiles.append, data=b'!')]
)
def test_a_file_that_is_swapped_for_a_link_during_a_write_is_never_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use: Callable[[HostFiles, PurePosixPath], object]
) -> None:
    inside, secret = tmp_path / 'out', tmp_path / 'secret'
    inside.mkdir()
    (inside / 'f').touch()
    secret.write_bytes(SECRET)
    opened = os.open

    def swapped_before(name: str, *arguments: int, dir_fd: int) -> int:
        if name == 'f':
            (inside / 'f').unlink()
            (inside / 'f').symlink_to(secret)
        return opened(name, *arguments, dir_fd=dir_fd)

    files = HostFiles({'/out': Folder(inside, writable=True)})
    monkeypatch.setattr(os, 'open', swapped_before)
    found = reported_or_done(partial(use, files, PurePosixPath('/out/f')))
    assert isinstance(found, OSError)
    assert found.errno == errno.ELOOP
    assert (inside / 'f').is_symlink()
    assert secret.read_bytes() == SECRET


@pytest.mark.parametrize('name', ['data', '/', '/a/b', '/..', '/.', '/data/', '/dätä', '/a b', '/' + 'x' * 65, ''])
def test_a_misleading_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match='is not a valid name of a folder'):
        check_folders({name: Folder(tmp_path)})


def test_nested_folders_are_refused_if_one_is_writable(tmp_path: Path) -> None:
    (tmp_path / 'sub').mkdir()
    (tmp_path / 'link').symlink_to(tmp_path / 'sub')
    check_folders({'/a': Folder(tmp_path), '/b': Folder(tmp_path / 'sub')})
    for inner in ('sub', 'link'):
        with pytest.raises(ValueError, match='overlap on the host'):
            check_folders({'/a': Folder(tmp_path, writable=True), '/b': Folder(tmp_path / inner)})
    elsewhere = tmp_path.with_name(f'{tmp_path.name} linked')
    elsewhere.symlink_to(tmp_path / 'sub')
    with pytest.raises(ValueError, match='overlap on the host'):
        check_folders({'/a': Folder(tmp_path, writable=True), '/b': Folder(elsewhere)})
    with pytest.raises(ValueError, match='differ in case only'):
        check_folders({'/a': Folder(tmp_path), '/A': Folder(tmp_path / 'sub')})
    with pytest.raises(ValueError, match='is not a folder; create it first'):
        Folder(tmp_path / 'nothing')


def test_a_folder_stays_the_same_when_the_working_directory_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / 'data').mkdir()
    (tmp_path / 'data' / 'a').write_text('a')
    monkeypatch.chdir(tmp_path)
    files = HostFiles({'/data': Folder('data')})
    monkeypatch.chdir('/')
    assert files.names(PurePosixPath('/data')) == ['a']


def test_links_and_names_that_are_no_text_are_not_described(tmp_path: Path) -> None:
    (tmp_path / 'link').symlink_to('/etc')
    (tmp_path / os.fsdecode(b'\xff')).write_text('')
    files = HostFiles({'/data': Folder(tmp_path)})
    assert files.names(PurePosixPath('/data')) == ['link']
    with pytest.raises(OSError, match="Too many levels of symbolic links: '/data/link'"):
        files.stat(PurePosixPath('/data/link'))
