"""The environments of other code modes, which pin other releases of pydantic-ai."""

import json
import subprocess
from pathlib import Path
from typing import Any

from benchmarks.costs.players import environment
from demo.installation import CannotInstall, python_environment

ROOT = Path(__file__).parents[1]
PEER, FASTMCP = 'harness CodeMode', 'FastMCP CodeMode'
_ENVIRONMENTS = {PEER: 'harness', FASTMCP: 'fastmcp'}


def by_peer(module: str, *arguments: str, peer: str = PEER) -> Any:
    """Return what a module prints as JSON when it plays a peer's route; `None` if the peer cannot be installed."""
    try:
        python = python_environment(_ENVIRONMENTS[peer])
    except CannotInstall as error:
        print(f'Without {peer}: {error}')
        return None
    command = [str(python), '-m', module, '--routes', peer, '--json', *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)
