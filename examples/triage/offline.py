"""What the stand-in for a model sends: a script that searches, and one that does the job."""

from pathlib import Path
from string import Template

FIND = """\
import asyncio

wanted = ['list a directory', 'read a text file', 'search known entities', 'git commit log', 'git show a revision',
    'read query on the database', 'convert time between zones', 'open an issue']
found = await asyncio.gather(*[search_tools(words) for words in wanted])
for words, tools in zip(wanted, found):
    print(f'{words}:', tools[0]['name'])
"""

_TRIAGE = Template("""\
import asyncio
import json

async def rows(sql):
    return json.loads((await read_query(query=sql)).replace("'", '"'))

async def last_change(file):
    log = await git_log(repo_path='$code', max_count=20)
    for commit in log.split('Commit: ')[1:]:
        diff = await git_show(repo_path='$code', revision=commit.split()[0])
        if f'+++ b/{file}' in diff:
            return commit.split('Author: ')[1].split()[0], commit.split('Message: ')[1].strip()
    return 'nobody', 'nothing'

async def looked_into(name):
    report = json.loads((await read_text_file(path=f'$inbox/{name}'))['content'])
    fault = report['error'] + ' in ' + report['file']
    known = (await search_nodes(query=fault))['entities']
    if known:
        return {'service': report['service'], 'known': known[0]}
    author, message = await last_change(report['file'])
    utc = await convert_time(source_timezone=report['zone'], time=report['seen'], target_timezone='UTC')
    hour = int(utc['target']['datetime'][11:13])
    [on_call] = await rows('SELECT person FROM roster NATURAL JOIN teams '
        f"WHERE service = '{report['service']}' AND {hour} >= from_hour AND {hour} < to_hour")
    text = f'First seen at {hour}h UTC. Last change: "{message}" by {author}.'
    return {'service': report['service'], 'known': None,
        'issue': {'title': fault, 'assignee': on_call['person'], 'text': text}}

async def became_of(found):
    if found['known']:
        name, observations = found['known']['name'], found['known']['observations']
        return f"{found['service']}: known as \\"{name}\\", {observations[1]}"
    try:
        issue = await create_issue(**found['issue'])
    except PermissionError:
        return f"{found['service']}: no issue, since nobody approved it"
    return f"{found['service']}: issue {issue['number']} for {issue['assignee']}"

listed = (await list_directory(path='$inbox'))['content']
names = sorted(line.split(' ')[1] for line in listed.splitlines())
found = await asyncio.gather(*[looked_into(name) for name in names])
'\\n'.join(await asyncio.gather(*[became_of(each) for each in found]))
""")


def triage(folder: Path) -> str:
    """The script that does the job.

    Args:
        folder: Where the workplace is.
    """
    return _TRIAGE.substitute(inbox=folder / 'inbox', code=folder / 'code')
