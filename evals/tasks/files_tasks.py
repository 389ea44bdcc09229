"""Tasks with files, through an MCP server."""

from evals.tasks.task import Task
from evals.worlds.files import FilesWorld


def _sales(files: FilesWorld, product: str | None = None, region: str | None = None) -> dict[str, int]:
    """Revenue by month."""
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
    """All files, those of the inbox moved where they are about an invoice, and gone where not."""
    texts = files.texts()
    kept = {path: text for path, text in texts.items() if not path.startswith('inbox/')}
    return kept | {f'invoices/{name}': texts[f'inbox/{name}'] for name in _invoices(files)}


def _owner(files: FilesWorld) -> str:
    config = files.texts()['config/app.ini']
    path = config.split('owner = ')[1].strip()
    return files.texts()[path].split('The lead is ')[1].split('.')[0]


TASKS = [
    Task(
        name='files-size',
        kind='one call',
        world='files',
        ask='How many bytes has the file notes/retro.md? Answer with the number.',
        plan="""\
found = await file_info(path='notes/retro.md')
found['size']
""",
        answer=lambda files: len(files.texts()['notes/retro.md'].encode()),
    ),
    Task(
        name='files-write',
        kind='one call',
        world='files',
        ask="Write 'done' into the file status.txt. Answer with the path, a JSON string.",
        plan="""\
written = await write_file(path='status.txt', text='done')
written['path']
""",
        answer=lambda files: 'status.txt',
        leaves=lambda files: {**files.texts(), 'status.txt': 'done'},
    ),
    Task(
        name='files-owner',
        kind='chain',
        world='files',
        ask=(
            'The configuration config/app.ini names a file about its owner. Who is the lead according to that file?'
            ' Answer with the name, a JSON string.'
        ),
        plan="""\
config = await read_file(path='config/app.ini')
path = config['text'].split('owner = ')[1].strip()
note = await read_file(path=path)
note['text'].split('The lead is ')[1].split('.')[0]
""",
        answer=_owner,
    ),
    Task(
        name='files-todos',
        kind='fan-out',
        world='files',
        ask='How many times is "TODO:" written in the Markdown files of notes? Answer with the number.',
        plan="""\
import asyncio
found = await find_files(pattern='notes/*.md')
texts = await asyncio.gather(*[read_file(path=entry['path']) for entry in found['entries']])
sum([one['text'].count('TODO:') for one in texts])
""",
        answer=_todos,
    ),
    Task(
        name='files-errors',
        kind='aggregate',
        world='files',
        ask=(
            'Which log file in the folder logs has the most lines of level ERROR, and how many? Answer with JSON:'
            ' {"path": ..., "errors": number}.'
        ),
        plan="""\
import asyncio
found = await list_folder(path='logs')
logs = await asyncio.gather(*[read_file(path=entry['path']) for entry in found['entries']])
counts = [(one['text'].count(' ERROR '), one['path']) for one in logs]
most, path = sorted(counts)[-1]
{'path': path, 'errors': most}
""",
        answer=lambda files: dict(
            zip(('errors', 'path'), max((count, path) for path, count in _errors(files).items()), strict=True)
        ),
    ),
    Task(
        name='files-best-month',
        kind='aggregate',
        world='files',
        ask=(
            'The CSV files in sales hold one month each. What was the revenue (quantity times price) of desks in the'
            ' north in each month? Answer with a JSON object from the month, like 2026-01, to the revenue.'
        ),
        plan="""\
import asyncio
found = await find_files(pattern='sales/*.csv')
tables = await asyncio.gather(*[read_file(path=entry['path']) for entry in found['entries']])
revenue = {}
for table in tables:
    total = 0
    for line in table['text'].splitlines()[1:]:
        region, product, quantity, price = line.split(',')
        if region == 'north' and product == 'desk':
            total += int(quantity) * int(price)
    revenue[table['path'][-11:-4]] = total
revenue
""",
        answer=lambda files: _sales(files, 'desk', 'north'),
    ),
    Task(
        name='files-sort-inbox',
        kind='loop',
        world='files',
        ask=(
            'Move every file of inbox that is about an invoice into the folder invoices, and delete the others.'
            ' Answer with a JSON list of the names of the moved files, without the folder.'
        ),
        plan="""\
import asyncio
found = await list_folder(path='inbox')
files = await asyncio.gather(*[read_file(path=entry['path']) for entry in found['entries']])
invoices = [file['path'] for file in files if file['text'].startswith('invoice')]
others = [file['path'] for file in files if not file['text'].startswith('invoice')]
await asyncio.gather(
    *[move_file(path=path, to=path.replace('inbox/', 'invoices/')) for path in invoices],
    *[delete_file(path=path) for path in others],
)
[path.replace('inbox/', '') for path in invoices]
""",
        answer=_invoices,
        leaves=_sorted_inbox,
    ),
    Task(
        name='files-clash',
        kind='recovery',
        world='files',
        ask=(
            'Move inbox/a.txt to config/app.ini. If something is there already, move it to config/app-2.ini instead.'
            ' Answer with the path that the file has now, a JSON string.'
        ),
        plan="""\
try:
    moved = await move_file(path='inbox/a.txt', to='config/app.ini')
except Exception:
    moved = await move_file(path='inbox/a.txt', to='config/app-2.ini')
moved['path']
""",
        answer=lambda files: 'config/app-2.ini',
        leaves=lambda files: {
            ('config/app-2.ini' if path == 'inbox/a.txt' else path): text for path, text in files.texts().items()
        },
    ),
]
