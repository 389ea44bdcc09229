"""Other code modes, in an environment of their own in which their releases fit together."""

import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from demo.installation import CannotInstall, python_environment
from evals.measuring.run import Run
from evals.results import load

PEER_ROUTES = (
    'direct',
    'code',
    'harness CodeMode',
    'code + search',
    'code + search, keywords',
    'pydantic-ai ToolSearch',
    'harness CodeMode + ToolSearch',
)
"""What runs there: the peers, and for comparison our routes on the same releases."""

_ROOT = Path(__file__).parent.parent
_LARGEST_CROWD = 400


def compare_peers(tasks: Sequence[str] | None, tell: Callable[[str], None]) -> tuple[list[Run], list[str]]:
    """The runs of the peers and of our routes beside them; or why there are none."""
    try:
        python = python_environment('harness')
    except CannotInstall as error:
        return [], [f'pydantic-ai-harness cannot be installed here: {error}']
    tell('peers, in an environment of their own')
    with TemporaryDirectory() as folder:
        command = [str(python), '-m', 'evals', '--no-ladders', '--no-peers', '--quiet', '--out', folder]
        command += ['--wires', 'anthropic:claude-sonnet-4-6', '--routes', *PEER_ROUTES]
        command += ['--tasks', *tasks] if tasks else ['--smaller-than', str(_LARGEST_CROWD + 1)]
        done = subprocess.run(command, cwd=_ROOT, env=_environment(), capture_output=True, text=True, check=False)
        file = Path(folder) / 'results.json'
        if not file.is_file():
            return [], [f'The peers could not be run: {done.stderr[-2000:]}']
        results = load(file)
    packages = ', '.join(f'{name} {number}' for name, number in results.setting.packages.items())
    return list(results.runs), [f'Peers ran with {packages}.']


def _environment() -> dict[str, str]:
    """Our packages from the checkout; nothing else of this environment."""
    paths = [_ROOT, _ROOT / 'src', _ROOT / 'sandbox', _ROOT / 'signatures']
    return {**os.environ, 'PYTHONPATH': os.pathsep.join(map(str, paths))}
