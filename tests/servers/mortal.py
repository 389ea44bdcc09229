"""An MCP server that refuses to start, hangs or dies on command from a file.

Usage: ``python mortal.py ORDERS``, where the file ORDERS holds ``live``, ``hang`` or ``refuse``.
"""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from plain import serve, text

_ORDERS = Path(sys.argv[1])
if _ORDERS.read_text() == 'refuse':
    sys.exit('no licence')
if _ORDERS.read_text() == 'hang':
    time.sleep(600)

_TOOLS = ('pulse', 'die', 'ignore', 'fail', 'pid', 'fall_silent')


def _call(name: str, arguments: object) -> dict[str, Any] | None:
    if name in ('die', 'ignore'):
        died = _ORDERS.with_suffix('.died')
        died.write_text('twice' if died.exists() else 'once')
    if name == 'die':
        os._exit(3)
    if name == 'ignore':
        return None
    if name == 'fall_silent':
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.closerange(0, 256)
        time.sleep(600)
    return text({'fail': 'not today', 'pid': str(os.getpid())}.get(name, 'beats'), isError=name == 'fail')


serve('mortal', lambda: [{'name': name, 'inputSchema': {'type': 'object'}} for name in _TOOLS], _call)
