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


def compare_peers(
    tasks: Sequence[str] | None, processes: int, tell: Callable[[str], None]
) -> tuple[list[Run], list[str]]:
    """The runs of the peers and of our routes beside them, with what to know of them; or why there are none."""
    try:
        python = python_environment('harness')
    except CannotInstall as error:
        reason = str(error).splitlines()[0]
        return [], [f'Without peers: pydantic-ai-harness cannot be installed here. {reason}']
    tell('peers, in an environment of their own')
    with TemporaryDirectory() as folder:
        command = [str(python), '-m', 'evals', '--no-ladders', '--no-peers', '--quiet', '--out', folder]
        command += ['--processes', str(processes), '--wires', 'anthropic:claude-sonnet-4-6', '--routes', *PEER_ROUTES]
        command += ['--tasks', *tasks] if tasks else ['--smaller-than', str(_LARGEST_CROWD + 1)]
        done = subprocess.run(command, cwd=_ROOT, env=environment(), capture_output=True, text=True, check=False)
        file = Path(folder) / 'results.json'
        if not file.is_file():
            return [], [f'Without peers: their runs broke off. {_last_line(done.stderr)}']
        results = load(file)
    packages = ', '.join(f'{name} {number}' for name, number in results.setting.packages.items())
    return list(results.runs), [f'Peers ran with {packages}.']


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), 'They said nothing.')


def environment() -> dict[str, str]:
    """Our packages from the checkout; nothing else of this environment."""
    paths = [_ROOT, _ROOT / 'src', _ROOT / 'sandbox', _ROOT / 'signatures']
    return {**os.environ, 'PYTHONPATH': os.pathsep.join(map(str, paths))}
