"""What the six servers have: crash reports, a repository, a roster, known faults, clocks and issues."""

import json
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from fastmcp.client.transports import StdioTransport
from pydantic_ai.mcp import MCPToolset

from demo import servers
from demo.repository import Commit, create

_REPORTS = [
    # Their zones have no summer time, so that the example comes out the same all year.
    ('checkout', 'checkout/vat.py', 'ZeroDivisionError: division by zero', '18:40', 'Asia/Kolkata'),
    ('search', 'search/rank.py', 'KeyError: price', '09:15', 'Asia/Tokyo'),
    ('labels', 'labels/print.py', 'UnicodeEncodeError: latin-1', '07:55', 'America/Bogota'),
]
_COMMITS = [
    ('Mira', 'Round taxes to cents', 'checkout/vat.py', 'rate = round(rate, 2)\n'),
    ('Hugo', 'Rank by price', 'search/rank.py', "key = item['price']\n"),
    ('Leon', 'Print labels on the new printer', 'labels/print.py', "text.encode('latin-1')\n"),
    ('Ines', 'Write the manual', 'docs/manual.md', '# Manual\n'),
]
_ROSTER = [('shop', 'Tove', 0, 12), ('shop', 'Mira', 12, 24), ('warehouse', 'Leon', 0, 24)]
_TEAMS = [('checkout', 'shop'), ('search', 'shop'), ('labels', 'warehouse')]
_KNOWN = {
    'type': 'entity',
    'name': 'rank without a price',
    'entityType': 'known fault',
    'observations': ['KeyError: price in search/rank.py', 'mended in release 4.2, which is not out yet'],
}


def furnish(folder: Path) -> None:
    """Write it all into a folder."""
    inbox = folder / 'inbox'
    inbox.mkdir()
    for service, file, error, seen, zone in _REPORTS:
        report = {'service': service, 'file': file, 'error': error, 'seen': seen, 'zone': zone}
        (inbox / f'{service}.json').write_text(json.dumps(report))
    day = datetime(2026, 6, 1, 9, tzinfo=UTC)
    commits = [
        Commit(message, author, day.replace(day=number), {file: text})
        for number, (author, message, file, text) in enumerate(_COMMITS, 1)
    ]
    create(folder / 'code', commits)
    with closing(sqlite3.connect(folder / 'roster.db')) as connection, connection:
        connection.execute('CREATE TABLE teams (service TEXT, team TEXT)')
        connection.execute('CREATE TABLE roster (team TEXT, person TEXT, from_hour INTEGER, to_hour INTEGER)')
        connection.executemany('INSERT INTO teams VALUES (?, ?)', _TEAMS)
        connection.executemany('INSERT INTO roster VALUES (?, ?, ?, ?)', _ROSTER)
    (folder / 'faults.jsonl').write_text(json.dumps(_KNOWN) + '\n')


def six_servers(folder: Path) -> Sequence[MCPToolset[object]]:
    """The servers, which start when they are needed.

    Raises:
        CannotInstall: One is not to be had on this machine.
    """
    tracker = Path(__file__).parent / 'tracker.py'
    log = folder / 'tracker.log'
    started = StdioTransport(sys.executable, [str(tracker), str(folder / 'issues.json')], log_file=log)
    return (
        servers.filesystem(folder / 'inbox'),
        servers.memory(folder / 'faults.jsonl'),
        servers.git(folder / 'code'),
        servers.sqlite(folder / 'roster.db'),
        servers.time(),
        MCPToolset[object](started, id='tracker', init_timeout=300),
    )
