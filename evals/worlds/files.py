"""A folder of files behind a real MCP server over stdio."""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fastmcp.client.transports import StdioTransport
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.toolsets import AbstractToolset

_SERVER = Path(__file__).with_name('files_server.py')


@dataclass(frozen=True)
class FilesWorld:
    folder: Path
    toolset: AbstractToolset[object]
    deps: None = None
    size: int = 8

    def snapshot(self) -> list[str]:
        files = (file for file in self.folder.glob('**/*') if file.is_file())
        return [f'{file.relative_to(self.folder)}: {file.read_text()!r}' for file in files]


def file_server(folder: Path) -> MCPToolset[object]:
    """Return the server for a folder; it starts when the toolset is entered."""
    log = folder.parent / 'files-server.log'
    transport = StdioTransport(sys.executable, [str(_SERVER), str(folder)], log_file=log)
    # Starting it may take a while on a busy machine.
    return MCPToolset(transport, id='files', init_timeout=60)


def fill(folder: Path) -> None:
    """Put the same files into the folder each time, and nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, text in _contents().items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def _contents() -> dict[str, str]:
    random = Random(77)
    files = {f'sales/2026-{month:02}.csv': _sales(random) for month in range(1, 13)}
    files |= {f'logs/server-{number}.log': _log(random) for number in range(1, 9)}
    files |= {f'notes/{name}.md': f'# {name.title()}\n\n{text}\n' for name, text in _NOTES.items()}
    files['config/app.ini'] = 'mode = test\nport = 8080\nowner = notes/team.md\n'
    files['inbox/a.txt'] = 'invoice 17\n'
    files['inbox/b.txt'] = 'memo on parking\n'
    files['inbox/c.txt'] = 'invoice 18\n'
    files['inbox/d.txt'] = 'invoice 19\n'
    return files


def _sales(random: Random) -> str:
    rows = [
        f'{random.choice(["north", "south", "east"])},{random.choice(["lamp", "desk", "rug"])},{random.randint(1, 9)},'
        f'{random.randint(10, 400)}'
        for _ in range(80)
    ]
    return '\n'.join(['region,product,quantity,price', *rows]) + '\n'


def _log(random: Random) -> str:
    levels = ['INFO'] * 12 + ['WARN'] * 2 + ['ERROR']
    lines = [f'{minute:04} {random.choice(levels)} request {random.randint(1000, 9999)}' for minute in range(150)]
    return '\n'.join(lines) + '\n'


_NOTES = {
    'team': 'The lead is Marta Kolb.',
    'plan': 'Ship the beta in June. TODO: write the guide. TODO: test on Windows.',
    'ideas': 'A dark theme. TODO: ask the users.',
    'retro': 'Went well: the launch.',
    'budget': 'TODO: get two more offers. 4,200 are left.',
}
