"""The example service: two processes, both killed in the middle of a script, and deployed anew in another version."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.postgres_server import Server

pytest.importorskip('dbos', reason='DBOS is not installed')


class Service:
    """Its processes."""

    def __init__(self, folder: Path, database: str) -> None:
        self.ledger = folder / 'ledger'
        self.database = database
        self.processes = dict[str, tuple[subprocess.Popen[bytes], int]]()

    def start(self, *names: str, version: int) -> None:
        """Start processes, and come back when they answer."""
        for name in names:
            with socket.socket() as free:
                free.bind(('127.0.0.1', 0))
                port = free.getsockname()[1]
            environment = {
                **os.environ,
                'PYTHONPATH': os.pathsep.join(sys.path),
                'DATABASE': self.database,
                'TOOLSCRIPT_SNAPSHOT_KEY': 'the key of the service',
                'LEDGER': str(self.ledger),
                'VERSION': str(version),
            }
            command = [sys.executable, '-W', 'ignore', '-m', 'examples.service', name, str(port)]
            self.processes[name] = subprocess.Popen(command, env=environment), port
        for name in names:
            self.until(lambda name=name: self.ask(name, 'GET', '/tasks/none').get('error'))

    def kill(self) -> None:
        """Kill them all."""
        for process, _ in self.processes.values():
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.processes.clear()

    def ask(self, name: str, method: str, path: str, **body: Any) -> dict[str, Any]:
        """What a process answers; nothing while it is not there."""
        url = f'http://127.0.0.1:{self.processes[name][1]}{path}'
        request = urllib.request.Request(url, json.dumps(body).encode() if body else None, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return json.load(error)
        except OSError:
            return {}

    def until(self, fulfilled: Callable[[], Any]) -> Any:
        """What it gives as soon as it gives something."""
        for _ in range(6_000):
            if found := fulfilled():
                return found
            assert all(process.poll() is None for process, _ in self.processes.values())
            time.sleep(0.05)
        raise AssertionError('it never is')

    def lines(self) -> Counter[str]:
        """What the tools did."""
        return Counter(self.ledger.read_text().splitlines() if self.ledger.exists() else [])


@pytest.fixture
def service(tmp_path: Path, postgres: Server) -> Generator[Service]:
    """None of its processes runs yet."""
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute('drop database if exists service')
        connection.execute('create database service')
    service = Service(tmp_path, postgres.url.replace('/postgres?', '/service?'))
    yield service
    service.kill()


@pytest.mark.long
def test_a_task_survives_kills_and_a_deploy_and_pays_once(service: Service) -> None:
    service.start('a', 'b', version=1)
    task = service.ask('a', 'POST', '/tasks', task='buy three')['id']
    service.until(lambda: service.lines()['price 2'])
    service.kill()
    service.start('a', 'b', version=2)
    waits = service.until(lambda: (said := service.ask('b', 'GET', f'/tasks/{task}')).get('calls') and said)
    assert waits == {'status': 'waits', 'pause': 0, 'calls': [{'tool': 'pay', 'args': {'amount': 60}}]}
    for name in ('a', 'b'):
        service.ask(name, 'POST', f'/tasks/{task}/decisions', pause=0, approve=True)
    done = service.until(lambda: (said := service.ask('a', 'GET', f'/tasks/{task}')).get('answer') and said)
    assert done['answer'] == '"paid 60, filed by version 2"'
    lines = service.lines()
    # The price that was being looked up when the processes were killed was looked up again.
    assert (lines['price 1'], lines['pay 60'], lines['file paid 60']) == (1, 1, 1)
