"""Triage the crash reports of a made-up workplace; asks before it opens an issue, unless it is called with --yes."""

import asyncio
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

from demo.live import NoModel, live_model
from demo.servers import CannotInstall
from examples.triage.agent import triage_agent, triaged
from examples.triage.offline import FIND, triage
from examples.triage.workplace import furnish, six_servers
from toolscript import PendingCall, script_calls
from toolscript.testing import script_model

_TASK = (
    'Triage the crash reports in {inbox}: skip what the memory has as a known fault. For each other, find the last '
    'commit in {code} that changed the file, and open an issue for anyone who of the team is on call at that time of '
    'day (the roster is in the database, in UTC hours). Say what became of each.'
)


async def main(folder: Path, approve: Callable[[PendingCall], bool]) -> None:
    """Do it, and show how.

    Args:
        folder: Where the workplace is made.
        approve: Is asked about each issue.
    """
    furnish(folder)
    model = live_model(name) if (name := os.environ.get('MODEL')) else script_model(FIND, triage(folder))
    agent = triage_agent(model, six_servers(folder))
    async with agent:
        answer, messages = await triaged(agent, _TASK.format(inbox=folder / 'inbox', code=folder / 'code'), approve)
    for _, calls in groupby(script_calls(messages), key=lambda call: call.run_code_id):
        counted = Counter(call.function for call in calls)
        print('A script called', ', '.join(f'{name} ({times})' for name, times in counted.items()))
    print(f'\n{answer}')


def ask(call: PendingCall) -> bool:
    """Ask in the terminal."""
    print(call.render())
    try:
        return input('Approve? [y/n] ').strip().lower() == 'y'
    except EOFError:
        print('Refused: there is no terminal to ask in. --yes approves all.')
        return False


if __name__ == '__main__':
    try:
        with tempfile.TemporaryDirectory(prefix='triage-') as temporary:
            asyncio.run(main(Path(temporary).resolve(), (lambda call: True) if '--yes' in sys.argv else ask))
    except (NoModel, CannotInstall) as problem:
        sys.exit(str(problem))
