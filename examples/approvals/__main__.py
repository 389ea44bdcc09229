"""Serve the chat on this machine."""

import argparse
import os
import socket
import sys
from pathlib import Path

import uvicorn
from pydantic_ai.models import Model

from demo.agents import NoModel, live_model
from examples.approvals.app import create_app
from examples.approvals.offline import offline_model


def main() -> None:
    """Serve until stopped."""
    arguments = argparse.ArgumentParser(prog='python -m examples.approvals', description=__doc__)
    arguments.add_argument('--port', type=int, default=8000)
    arguments.add_argument('--folder', type=Path, default=Path('.approvals'), help='where everything is kept')
    arguments.add_argument('--pace', type=float, default=0.03, help='seconds per word of the offline model')
    given = arguments.parse_args()
    try:
        model: Model = live_model(name) if (name := os.environ.get('MODEL')) else offline_model(given.pace)
    except NoModel as problem:
        sys.exit(str(problem))
    try:
        listener = socket.create_server(('127.0.0.1', given.port))
    except OSError as error:
        sys.exit(f'Port {given.port} is not available ({error.strerror}); use another --port.')
    config = uvicorn.Config(create_app(model, given.folder), log_level='warning', timeout_graceful_shutdown=2)
    print(f'Open http://127.0.0.1:{given.port}', flush=True)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == '__main__':
    main()
