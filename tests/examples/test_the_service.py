"""The example service: two processes that are killed in the middle of a script and while it waits, and deployed anew."""

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

    def start(self, *names: str, version: int = 1, turns: str = '10 5') -> None:
        """Start processes, and come back when they answer.

        Args:
            names: What the processes are called.
            version: Of the tools.
            turns: How many may run at once, in all processes and in each.
        """
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
                'TURNS': turns,
            }
            command = [sys.executable, '-W', 'ignore', '-m', 'examples.service', name, str(port)]
            self.processes[name] = subprocess.Popen(command, env=environment), port
        for name in names:
            self.until(lambda name=name: self.ask(name, 'GET', '/tasks/none').get('error'))

    def kill(self, *names: str) -> None:
        """Kill them, or all."""
        for name in names or [*self.processes]:
            process, _ = self.processes.pop(name)
            process.send_signal(signal.SIGKILL)
            process.wait()

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

    def lines(self) -> list[str]:
        """What the tools did, in order."""
        return self.ledger.read_text().splitlines() if self.ledger.exists() else []

    def counts(self) -> Counter[str]:
        """How often the tools did what."""
        return Counter(line.partition(' in ')[0] for line in self.lines())

    def waiting(self, name: str, task: str) -> Any:
        """What a process says of a task, once that waits."""
        return self.until(lambda: (said := self.ask(name, 'GET', f'/tasks/{task}')).get('calls') and said)

    def answer(self, name: str, task: str) -> Any:
        """The answer to a task, once there is one."""
        return self.until(lambda: self.ask(name, 'GET', f'/tasks/{task}').get('answer'))


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
    service.until(lambda: service.counts()['price 3'])
    service.kill()
    service.start('a', 'b', version=2)
    assert service.waiting('b', task) == {
        'status': 'waits',
        'pause': 0,
        'calls': [{'tool': 'pay', 'args': {'amount': 60}}],
    }
    for name in ('a', 'b'):
        service.ask(name, 'POST', f'/tasks/{task}/decisions', pause=0, approve=True)
    assert service.answer('a', task) == '"paid 60, filed by version 2"'
    counts = service.counts()
    # The price that was being looked up when the processes were killed was looked up again.
    assert (counts['priced 1'], counts['pay 60'], counts['file paid 60']) == (1, 1, 1)


@pytest.mark.long
def test_a_task_whose_process_is_killed_while_it_waits_is_taken_over_by_another(service: Service) -> None:
    service.start('a')
    task = service.ask('a', 'POST', '/tasks', task='buy three')['id']
    service.waiting('a', task)
    service.kill('a')
    service.start('b')
    service.ask('b', 'POST', f'/tasks/{task}/decisions', pause=0, approve=True)
    assert service.counts()['pay 60'] == 0
    # What was a's goes to anyone who is started under its name, on whatever machine.
    service.start('a')
    assert service.answer('b', task) == '"paid 60, filed by version 1"'
    counts = service.counts()
    assert (counts['priced 1'], counts['pay 60'], counts['file paid 60']) == (1, 1, 1)


@pytest.mark.long
def test_no_more_turns_run_at_once_than_the_queue_allows_and_tasks_that_wait_take_no_place(service: Service) -> None:
    service.start('a', 'b', turns='3 2')
    tasks = [service.ask(name, 'POST', '/tasks', task='buy')['id'] for name in 'abababab']
    for task in tasks:
        service.waiting('a', task)
    for task in tasks:
        service.ask('b', 'POST', f'/tasks/{task}/decisions', pause=0, approve=True)
    for task in tasks:
        service.answer('b', task)
    running, in_one, most, most_in_one = 0, Counter[str](), 0, 0
    for line in service.lines():
        verb, _, process = line.partition(' in ')
        if verb.startswith('price'):
            step = -1 if verb.startswith('priced') else 1
            running, in_one[process] = running + step, in_one[process] + step
            most, most_in_one = max(most, running), max(most_in_one, in_one[process])
    assert (most, most_in_one, len(in_one)) == (3, 2, 2)
    counts = service.counts()
    assert (counts['price 1'], counts['pay 60'], counts['file paid 60']) == (8, 8, 8)
