"""Tasks with files, through an MCP server."""

from evals.tasks.task import Check, tasks_of
from evals.worlds.files import FilesWorld


def _sales(files: FilesWorld, product: str | None = None, region: str | None = None) -> dict[str, int]:
    months = {path[-11:-4]: text.splitlines()[1:] for path, text in files.texts('sales/*.csv').items()}
    rows = {month: [line.split(',') for line in lines] for month, lines in months.items()}
    return {
        month: sum(int(row[2]) * int(row[3]) for row in found if product in (None, row[1]) and region in (None, row[0]))
        for month, found in rows.items()
    }


def _errors(files: FilesWorld) -> dict[str, int]:
    return {path: text.count(' ERROR ') for path, text in files.texts('logs/*.log').items()}


def _todos(files: FilesWorld) -> int:
    return sum(text.count('TODO:') for text in files.texts('notes/*.md').values())


def _invoices(files: FilesWorld) -> list[str]:
    return sorted(path[6:] for path, text in files.texts('inbox/*').items() if text.startswith('invoice'))


def _sorted_inbox(files: FilesWorld) -> dict[str, str]:
    """Return all files, with those of the inbox moved if they are about an invoice and deleted if not."""
    texts = files.texts()
    kept = {path: text for path, text in texts.items() if not path.startswith('inbox/')}
    return kept | {f'invoices/{name}': texts[f'inbox/{name}'] for name in _invoices(files)}


def _owner(files: FilesWorld) -> str:
    config = files.texts()['config/app.ini']
    path = config.split('owner = ')[1].strip()
    return files.texts()[path].split('The lead is ')[1].split('.')[0]


CHECKS: dict[str, Check] = {
    'files-size': Check(lambda files: len(files.texts()['notes/retro.md'].encode())),
    'files-write': Check(lambda files: 'status.txt', lambda files: {**files.texts(), 'status.txt': 'done'}),
    'files-owner': Check(_owner),
    'files-todos': Check(_todos),
    'files-errors': Check(
        lambda files: dict(
            zip(('errors', 'path'), max((count, path) for path, count in _errors(files).items()), strict=True)
        )
    ),
    'files-best-month': Check(lambda files: _sales(files, 'desk', 'north')),
    'files-sort-inbox': Check(_invoices, _sorted_inbox),
    'files-clash': Check(
        lambda files: 'config/app-2.ini',
        lambda files: {
            ('config/app-2.ini' if path == 'inbox/a.txt' else path): text for path, text in files.texts().items()
        },
    ),
    'files-append': Check(
        lambda files: 'notes/ideas.md',
        lambda files: {**files.texts(), 'notes/ideas.md': files.texts()['notes/ideas.md'] + 'Bye.'},
    ),
}

TASKS = tasks_of('files', CHECKS)
