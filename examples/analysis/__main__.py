"""Run the analyst on generated data."""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from demo.agents import NoModel, live_model
from examples.analysis import campaigns
from examples.analysis.analyst import analyst
from examples.analysis.offline import ANALYSE, LOOK
from toolscript import script_calls
from toolscript.testing import script_model

QUESTION = 'Which channel earned most for each euro that its campaigns cost, without returned orders? Write a report.'


async def main(folder: Path) -> None:
    """Ask the question, and show how the answer was found.

    Args:
        folder: The folder for the data and the report.
    """
    campaigns.write(folder)
    (folder / 'reports').mkdir()
    model = live_model(name) if (name := os.environ.get('MODEL')) else script_model(LOOK, ANALYSE)
    agent = analyst(model, folder / 'shop.db', folder / 'data', folder / 'reports')
    result = await agent.run(QUESTION)
    for call in script_calls(result.all_messages()):
        print(f'A script called {call.function}.')
    print(result.output)
    for report in sorted((folder / 'reports').iterdir()):
        print(f'{report.name}:\n{report.read_text()}', end='')


if __name__ == '__main__':
    try:
        with tempfile.TemporaryDirectory(prefix='analysis-') as temporary:
            asyncio.run(main(Path(temporary)))
    except NoModel as problem:
        sys.exit(str(problem))
