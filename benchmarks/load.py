"""Many scripts on one PostgreSQL: how many, how fast they resume, and what is lost when processes are killed.

Run it with `python -m benchmarks.load`: it starts its own PostgreSQL or uses that of `--url`. A script makes four calls
of 20 ms, waits for an approval, and makes four more. First, for each number of processes, scripts are paused and then
resumed in other processes; this prints the database cost of a script. Then scripts run while one process is killed each
second. Each call writes a line to a ledger, which shows calls that ran twice and calls that are missing.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any, Literal

import psycopg
from pydantic import TypeAdapter
from pydantic_ai import Agent, DeferredToolRequests, ModelMessagesTypeAdapter

from tests.postgres_server import postgres_server, programs
from toolscript import CodeModeToolset, FunctionToolset, Snapshots, pending_calls, resolve
from toolscript.postgres import PostgresStore
from toolscript.testing import script_model
from toolscript_sandbox import Sandbox

CODE = """
async def notify(n):
    try:
        return await work(n)
    except RuntimeError as error:
        return 'unknown'
first = [await notify(n) for n in range(4)]
try:
    await ask(4)
except RuntimeError:
    pass
[*first, *[await notify(n) for n in range(5, 9)]]
"""
CALLS = 9
_requests = TypeAdapter(DeferredToolRequests)


@dataclass(frozen=True)
class Job:
    """The work of one process, which its successor repeats after a crash."""

    url: str
    folder: Path
    schema: str
    tasks: Sequence[int]
    at_once: int
    until: Literal['paused', 'done']


class Worker:
    def __init__(self, job: Job) -> None:
        self.job = job
        self.store = PostgresStore(job.url, schema=job.schema)
        self.ledger = os.open(job.folder / f'ledger-{os.getpid()}', os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.times = os.open(job.folder / f'times-{os.getpid()}', os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.snapshots = Snapshots(key='the key of the benchmark', store=self.store)

    async def work(self) -> None:
        room = asyncio.Semaphore(self.job.at_once)

        async def one(task: int) -> None:
            async with room:
                await self.task(task, sandbox)

        async with Sandbox(workers=self.job.at_once) as sandbox:
            await asyncio.gather(*map(one, self.job.tasks))
        self.store.close()

    async def task(self, task: int, sandbox: Sandbox) -> None:
        """Resume a script where it is and advance it to the job's target state."""
        place = f'bench{task}'
        found = await self.store.load_all([f'{place}.requests', f'{place}.history', f'{place}.answer'])
        if f'{place}.answer' in found:
            return
        agent = self.agent(task, sandbox)
        history = found.get(f'{place}.history')
        asked = found.get(f'{place}.requests')
        if asked is None:
            messages = None if history is None else ModelMessagesTypeAdapter.validate_json(history)
            async with agent.iter(None if messages else 'go', message_history=messages) as run:
                async for _ in run:
                    history = run.all_messages_json().decode()
                    await self.store.save(f'{place}.history', history)
            assert run.result is not None
            requests = run.result.output
            if isinstance(requests, DeferredToolRequests):
                asked = _requests.dump_json(requests).decode()
                await self.store.save(f'{place}.requests', asked)
            else:
                await self.store.save(f'{place}.answer', requests)
        if self.job.until == 'done' and asked is not None and history is not None:
            began = time.perf_counter()
            requests = _requests.validate_json(asked)
            decided = resolve(requests, {call.tool_call_id: True for call in pending_calls(requests)})
            messages = ModelMessagesTypeAdapter.validate_json(history)
            result = await agent.run(message_history=messages, deferred_tool_results=decided)
            assert isinstance(result.output, str), result.output
            await self.store.save(f'{place}.answer', result.output)
            os.write(self.times, f'{time.perf_counter() - began}\n'.encode())

    def agent(self, task: int, sandbox: Sandbox) -> Agent[object, Any]:
        async def work(n: int) -> int:
            os.write(self.ledger, f'{task} {n}\n'.encode())
            await asyncio.sleep(0.02)
            return n

        tools = FunctionToolset[object]([work])
        tools.tool_plain(requires_approval=True, name='ask')(work)
        toolset = CodeModeToolset(tools, snapshots=self.snapshots, sandbox=sandbox)
        return Agent(script_model(CODE), deps_type=object, output_type=[str, DeferredToolRequests], toolsets=[toolset])


def start(job: Job) -> int:
    """Start a process that does the job: a fork, in which everything is already imported."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            asyncio.run(Worker(job).work())
            status = 0
        except Exception as error:
            # The lock of a killed process may remain for a moment.
            print(f'{type(error).__name__}: {str(error)[:200]}', flush=True) if 'Locked' not in repr(error) else None
        finally:
            os._exit(status)
    return child


def run(jobs: Sequence[Job], *, kill_for: float = 0.0) -> tuple[float, int]:
    """Run each job in a process and kill one a second for `kill_for` seconds; return the seconds and the kills."""
    began, killed = time.perf_counter(), 0
    living = {start(job): job for job in jobs}
    next_kill = began + 1.0
    while living:
        if kill_for and time.perf_counter() < began + kill_for:
            time.sleep(max(0.0, next_kill - time.perf_counter()))
            next_kill += 1.0
            os.kill(random.choice(list(living)), signal.SIGKILL)
            killed += 1
        child, status = os.waitpid(-1, 0)
        job = living.pop(child)
        if status:
            living[start(job)] = job
    return time.perf_counter() - began, killed


def jobs_for(url: str, folder: Path, schema: str, processes: int, tasks: int, running: int, until: Any) -> list[Job]:
    """Return one job for each process, with the tasks divided among them."""
    at_once = max(1, running // processes)
    return [Job(url, folder, schema, range(n, tasks, processes), at_once, until) for n in range(processes)]


def numbers(folder: Path, kind: str) -> list[str]:
    """Return all lines of a kind, and delete their files."""
    lines = list[str]()
    for file in folder.glob(f'{kind}-*'):
        lines.extend(file.read_text().splitlines())
        file.unlink()
    return lines


def growth(url: str, folder: Path, arguments: argparse.Namespace) -> None:
    before, scripts = asked_of(url), 0
    print(f'{"processes":>9}{"paused":>9}{"per s":>8}{"resumed":>9}{"per s":>8}{"p50":>10}{"p95":>10}{"twice":>7}')
    for processes in arguments.processes:
        tasks = arguments.paused if processes == max(arguments.processes) else min(200, arguments.paused)
        schema = f'bench_{processes}'
        paused, _ = run(jobs_for(url, folder, schema, processes, tasks, arguments.running, 'paused'))
        resumed, _ = run(jobs_for(url, folder, schema, processes, tasks, arguments.running, 'done'))
        times = sorted(1000 * float(line) for line in numbers(folder, 'times'))
        cuts = quantiles(times, n=20)
        counts = Counter(numbers(folder, 'ledger'))
        assert len(counts) == tasks * CALLS, f'{tasks * CALLS - len(counts)} calls are missing'
        twice, scripts = sum(count > 1 for count in counts.values()), scripts + tasks
        print(
            f'{processes:9}{tasks:9}{tasks / paused:8.0f}{tasks:9}{tasks / resumed:8.0f}'
            f'{cuts[9]:7.0f} ms{cuts[18]:7.0f} ms{twice:7}',
            flush=True,
        )
    statements, log = (after - earlier for earlier, after in zip(before, asked_of(url), strict=True))
    print(f'\na script of {CALLS} calls: {statements / scripts:.1f} statements, {log / scripts / 1000:.0f} kB of WAL')


def kills(url: str, folder: Path, arguments: argparse.Namespace) -> None:
    processes = max(arguments.processes)
    tasks = arguments.running
    jobs = jobs_for(url, folder, 'bench_kills', processes, tasks, arguments.running, 'done')
    seconds, killed = run(jobs, kill_for=arguments.seconds)
    counts = Counter(numbers(folder, 'ledger'))
    store = PostgresStore(url, schema='bench_kills')
    answers = asyncio.run(store.load_all([f'bench{n}.answer' for n in range(tasks)]))
    store.close()
    unknown = sum(json.loads(answer).count('unknown') for answer in answers.values())
    print(f'\n{processes} processes, {killed} of them killed and restarted, {seconds:.0f} s:')
    print(f'{"scripts":>9}{"ended":>8}{"calls":>9}{"twice":>8}{"unknown":>9}')
    twice = sum(count > 1 for count in counts.values())
    print(f'{tasks:9}{len(answers):8}{sum(counts.values()):9}{twice:8}{unknown:9}')


def asked_of(url: str) -> tuple[int, int]:
    """Return the number of transactions of the database and the bytes of write-ahead log that it has written."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute('select pg_stat_clear_snapshot()')
        found = connection.execute(
            """
            select xact_commit, pg_current_wal_lsn() - '0/0'::pg_lsn from pg_stat_database
            where datname = current_database()
            """
        ).fetchone()
    assert found is not None
    return int(found[0]), int(found[1])


@contextmanager
def database(url: str | None) -> Generator[str]:
    """Yields the URL that was given, or that of a temporary database."""
    if url is not None:
        yield url
        return
    found = programs()
    if found is None:
        raise SystemExit('There is no PostgreSQL here; name one with --url.')
    with postgres_server(found) as server:
        yield server.url


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--url', help='a PostgreSQL, in which schemas named bench_* are made')
    parser.add_argument('--processes', type=int, nargs='+', default=[1, 2, 4])
    parser.add_argument('--paused', type=int, default=1_000, help='scripts')
    parser.add_argument('--running', type=int, default=200, help='of them at the same time, in all processes')
    parser.add_argument('--seconds', type=float, default=60.0, help='of killing')
    arguments = parser.parse_args()
    with database(arguments.url) as url, tempfile.TemporaryDirectory() as folder:
        growth(url, Path(folder), arguments)
        kills(url, Path(folder), arguments)


if __name__ == '__main__':
    main()
