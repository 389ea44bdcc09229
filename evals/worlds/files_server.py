"""An MCP server over stdio with the files of one folder: ``python files_server.py <folder>``."""

import sys
from pathlib import Path

from mcp.server.mcpserver import MCPServer
from typing_extensions import TypedDict


class FileInfo(TypedDict):
    """What is known of a file."""

    path: str
    size: int
    is_folder: bool


class FileText(TypedDict):
    """A file with what is in it."""

    path: str
    text: str


class Entries(TypedDict):
    """What is in a folder."""

    entries: list[FileInfo]


class Done(TypedDict):
    """What a change touched."""

    path: str


server = MCPServer('files')
root = Path(sys.argv[1]).resolve()


def _inside(path: str) -> Path:
    file = (root / path).resolve()
    if not file.is_relative_to(root):
        raise ValueError(f'{path} is outside the folder')
    return file


def _info(file: Path) -> FileInfo:
    size = 0 if file.is_dir() else file.stat().st_size
    return FileInfo(path=str(file.relative_to(root)), size=size, is_folder=file.is_dir())


@server.tool()
def list_folder(path: str = '.') -> Entries:
    """List the files and folders in a folder."""
    return Entries(entries=[_info(file) for file in sorted(_inside(path).iterdir())])


@server.tool()
def find_files(pattern: str) -> Entries:
    """Find files by a pattern such as **/*.csv."""
    return Entries(entries=[_info(file) for file in sorted(root.glob(pattern)) if file.is_file()])


@server.tool()
def file_info(path: str) -> FileInfo:
    """Tell the size of a file, and whether it is a folder."""
    file = _inside(path)
    if not file.exists():
        raise ValueError(f'{path} does not exist')
    return _info(file)


@server.tool()
def read_file(path: str) -> FileText:
    """Read a text file."""
    file = _inside(path)
    if not file.is_file():
        raise ValueError(f'{path} is no file')
    return FileText(path=path, text=file.read_text())


@server.tool()
def write_file(path: str, text: str) -> Done:
    """Write a text file, with the folders it needs, over what was there."""
    file = _inside(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return Done(path=path)


@server.tool()
def move_file(path: str, to: str) -> Done:
    """Move or rename a file; nothing may be there yet."""
    target = _inside(to)
    if target.exists():
        raise ValueError(f'{to} is there already')
    target.parent.mkdir(parents=True, exist_ok=True)
    _inside(path).rename(target)
    return Done(path=to)


@server.tool()
def delete_file(path: str) -> Done:
    """Delete a file."""
    _inside(path).unlink()
    return Done(path=path)


@server.tool()
def append_to_file(path: str, text: str) -> Done:
    """Add text to the end of a file."""
    with _inside(path).open('a') as file:
        file.write(text)
    return Done(path=path)


if __name__ == '__main__':
    server.run('stdio')
