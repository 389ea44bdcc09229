"""Randomly generated programs over tasks: the same seed gives the same program.

The times are such that no two events coincide, because their order is not specified.
"""

import random
from collections.abc import Callable

_KINDS = ('ValueError', 'KeyError', 'RuntimeError', 'LookupError')

_PRELUDE = """import asyncio
def reported(got):
    if isinstance(got, list):
        return [reported(one) for one in got]
    return repr(got)"""


def program(seed: int) -> str:
    """Return a program that calls tools, waits for some of them, and cancels others."""
    return _Writer(random.Random(seed)).whole()


def patient_program(seed: int) -> str:
    """Return a program whose result does not depend on how long its calls take or in which order they end."""
    return _Patient(random.Random(seed)).whole()


class _Writer:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._names = 0
        self._helpers = list[str]()
        self._left = 0

    def whole(self) -> str:
        """Return the text of the program."""
        lines = [
            _PRELUDE,
            f'sem = asyncio.Semaphore({self._chance.randint(1, 2)})',
            'lock = asyncio.Lock()',
            'event = asyncio.Event()',
            f'queue = asyncio.Queue({self._chance.choice([0, 0, 1, 2])})',
        ]
        for _ in range(self._chance.randint(1, 3)):
            name = self._new('helper_')
            self._left = 7
            lines += [f'async def {name}():', *_indented(self._body([], 0)), f'    return {self._new("r")!r}']
            self._helpers.append(name)
        self._left = 10
        return '\n'.join([*lines, *self._body([], 0), "'over'", ''])

    def _new(self, prefix: str) -> str:
        self._names += 1
        return f'{prefix}{self._names}'

    def _seconds(self, most: float = 5.0) -> str:
        return f'{self._chance.uniform(0.05, most):.4f}'

    def _body(self, tasks: list[str], depth: int) -> list[str]:
        lines, tasks = list[str](), list(tasks)
        for _ in range(self._chance.randint(1, 4)):
            lines += self._statement(tasks, depth)
        return lines

    def _statement(self, tasks: list[str], depth: int) -> list[str]:
        self._left -= 1
        if self._left < 0:
            return [self._reported('await asyncio.sleep(0)')]
        plain = [self._wait, self._wait, self._wait, self._task, self._task, self._small]
        if tasks:
            plain += [self._cancel, self._ask, self._wait_many]
        deep = [self._attempt, self._attempt, self._held, self._timeout, self._group, self._completed, self._loop]
        chosen: Callable[[list[str], int], list[str]] = self._chance.choice(plain + deep if depth < 3 else plain)
        return chosen(tasks, depth)

    def _reported(self, expression: str) -> str:
        return f'print({self._new("p")!r}, {expression})'

    def _coroutine(self, depth: int = 0) -> str:
        name = self._new('c')
        ways = [
            f"tool('{name}', {self._seconds()})",
            f"tool('{name}', {self._seconds()})",
            f"fail('{name}', {self._seconds()}, {self._chance.choice(_KINDS)!r})",
            f'asyncio.sleep({self._seconds()}, {name!r})',
        ]
        if self._helpers:
            ways += [f'{self._chance.choice(self._helpers)}()'] * 3
        if depth < 2:
            ways.append(f'asyncio.wait_for({self._awaitable(depth + 1)}, {self._seconds()})')
        return self._chance.choice(ways)

    def _awaitable(self, depth: int = 0, tasks: tuple[str, ...] | list[str] = ()) -> str:
        ways = [self._coroutine(depth)] * 3 + list(tasks)
        if depth < 2:
            several = ', '.join(self._awaitable(depth + 1, tasks) for _ in range(self._chance.randint(2, 3)))
            ways += [f'asyncio.gather({several})', f'asyncio.gather({several}, return_exceptions=True)']
            ways += [f'asyncio.create_task({self._coroutine(depth + 1)})']
        return self._chance.choice(ways)

    def _wait(self, tasks: list[str], depth: int) -> list[str]:
        return [self._reported(f'reported(await {self._awaitable(depth, tasks)})')]

    def _task(self, tasks: list[str], depth: int) -> list[str]:
        name = self._new('t')
        way = self._chance.choice(['asyncio.create_task', 'asyncio.create_task', 'asyncio.ensure_future'])
        line = f'{name} = {way}({self._coroutine(depth)})'
        tasks.append(name)
        return [line]

    def _small(self, _: list[str], depth: int) -> list[str]:
        ways = [
            ['await asyncio.sleep(0)'],
            [f'await asyncio.sleep({self._seconds()})'],
            ['event.set()'],
            ['event.clear()'],
            [self._reported('event.is_set()')],
            [self._reported(f'await asyncio.wait_for(event.wait(), {self._seconds()})')],
            [f'await asyncio.wait_for(queue.put({self._new("q")!r}), {self._seconds()})'],
            [self._reported(f'await asyncio.wait_for(queue.get(), {self._seconds()})')],
            [self._reported('(queue.qsize(), queue.full())')],
            [self._reported('(sem.locked(), lock.locked())')],
            [f'raise {self._chance.choice(_KINDS)}({self._new("e")!r})'],
        ]
        return self._chance.choice(ways)

    def _cancel(self, tasks: list[str], depth: int) -> list[str]:
        message = self._chance.choice(['', '', "'enough'"])
        return [self._reported(f'{self._chance.choice(tasks)}.cancel({message})')]

    def _ask(self, tasks: list[str], depth: int) -> list[str]:
        task = self._chance.choice(tasks)
        return [self._reported(f'({task}.done(), {task}.cancelled())')]

    def _wait_many(self, tasks: list[str], depth: int) -> list[str]:
        some = self._chance.sample(tasks, self._chance.randint(1, len(tasks)))
        options = [
            f', timeout={self._seconds()}',
            ', return_when=asyncio.FIRST_COMPLETED',
            ', return_when=asyncio.FIRST_EXCEPTION',
            '',
        ]
        ended = self._new('d')
        listed = f'[{", ".join(some)}]'
        return [
            f'{ended}, left_{ended} = await asyncio.wait({listed}{self._chance.choice(options)})',
            self._reported(f'([t in {ended} for t in {listed}], len(left_{ended}))'),
        ]

    def _attempt(self, tasks: list[str], depth: int) -> list[str]:
        lines = ['try:', *_indented(self._body(tasks, depth + 1))]
        kind = self._chance.choice([*_KINDS, 'Exception', 'Exception', 'TimeoutError', 'asyncio.CancelledError', ''])
        if kind:
            lines += [f'except {kind} as e:', f'    {self._reported("reported(e)")}']
            lines += _indented(self._body(tasks, depth + 1)) if self._chance.random() < 0.3 else []
            lines += ['    raise'] if self._chance.random() < 0.3 else []
        if kind and self._chance.random() < 0.3:
            lines += ['else:', f'    {self._reported("1")}']
        if not kind or self._chance.random() < 0.4:
            inner = self._body(tasks, depth + 1) if self._chance.random() < 0.4 else []
            lines += ['finally:', f'    {self._reported("2")}', *_indented(inner)]
        return lines

    def _held(self, tasks: list[str], depth: int) -> list[str]:
        lines = [f'async with {self._chance.choice(["sem", "lock"])}:', *_indented(self._body(tasks, depth + 1))]
        # Waiting for a lock while holding it would never end.
        return [f'async with asyncio.timeout({self._seconds()}):', *_indented(lines)]

    def _timeout(self, tasks: list[str], depth: int) -> list[str]:
        name = self._new('s')
        lines = [f'async with asyncio.timeout({self._seconds()}) as {name}:', *_indented(self._body(tasks, depth + 1))]
        return [*lines, self._reported(f'{name}.expired()')]

    def _group(self, tasks: list[str], depth: int) -> list[str]:
        name = self._new('g')
        made = [(self._new('t'), self._coroutine(depth)) for _ in range(self._chance.randint(1, 3))]
        lines = [f'{task} = {name}.create_task({coroutine})' for task, coroutine in made]
        lines += self._body([*tasks, *(task for task, _ in made)], depth + 1)
        return [f'async with asyncio.TaskGroup() as {name}:', *_indented(lines)]

    def _completed(self, tasks: list[str], depth: int) -> list[str]:
        # Coroutines would start in no defined order.
        several = ', '.join(f'asyncio.create_task({self._coroutine(depth)})' for _ in range(self._chance.randint(2, 3)))
        timeout = self._chance.choice(['', f', timeout={self._seconds()}'])
        return [
            f'for one in asyncio.as_completed([{several}]{timeout}):',
            f'    {self._reported("reported(await one)")}',
        ]

    def _loop(self, tasks: list[str], depth: int) -> list[str]:
        lines = _indented(self._body(tasks, depth + 1))
        return [f'for n in range({self._chance.randint(2, 3)}):', *lines]


class _Patient(_Writer):
    """Writes programs without deadlines, cancellations and checks for finished tasks."""

    def _statement(self, tasks: list[str], depth: int) -> list[str]:
        self._left -= 1
        if self._left < 0:
            return [self._reported('await asyncio.sleep(0)')]
        plain = [self._wait, self._wait, self._task, self._small]
        deep = [self._attempt, self._held, self._group, self._loop, self._passed_on, self._streamed]
        chosen: Callable[[list[str], int], list[str]] = self._chance.choice(plain + deep if depth < 3 else plain)
        return chosen(tasks, depth)

    def _body(self, tasks: list[str], depth: int) -> list[str]:
        own = list(tasks)
        lines = [line for _ in range(self._chance.randint(1, 4)) for line in self._statement(own, depth)]
        mine = own[len(tasks) :]
        return [
            *lines,
            *(self._reported(f'reported(await asyncio.gather({task}, return_exceptions=True))') for task in mine),
        ]

    def _coroutine(self, depth: int = 0) -> str:
        name = self._new('c')
        ways = [f"tool('{name}', {self._seconds()})", f'asyncio.sleep({self._seconds()}, {name!r})']
        ways += [f'{self._chance.choice(self._helpers)}()'] if self._helpers else []
        return self._chance.choice([ways[0], *ways])

    def _awaitable(self, depth: int = 0, tasks: tuple[str, ...] | list[str] = ()) -> str:
        name = self._new('c')
        failing = f"fail('{name}', {self._seconds()}, {self._chance.choice(_KINDS)!r})"
        several = ', '.join([self._coroutine(depth), self._coroutine(depth), *tasks[:1]])
        ways = [
            self._coroutine(depth),
            f'asyncio.gather({several})',
            f'asyncio.gather({several}, {failing}, return_exceptions=True)',
            f'asyncio.create_task({self._coroutine(depth)})',
        ]
        return self._chance.choice(ways)

    def _task(self, tasks: list[str], depth: int) -> list[str]:
        tasks.append(self._new('t'))
        return [f'{tasks[-1]} = asyncio.create_task({self._coroutine(depth)})']

    def _small(self, _: list[str], depth: int) -> list[str]:
        name = self._new('me')
        still = [
            f'{name} = asyncio.current_task()',
            f"await tool('{self._new('c')}', {self._seconds()})",
            self._reported(f'{name} is asyncio.current_task()'),
        ]
        return self._chance.choice([['await asyncio.sleep(0)'], [f'await asyncio.sleep({self._seconds()})'], still])

    def _attempt(self, tasks: list[str], depth: int) -> list[str]:
        body = self._body(tasks, depth + 1)
        failing = f"fail('{self._new('c')}', {self._seconds()}, {self._chance.choice(_KINDS)!r})"
        body += [f'await {failing}'] if self._chance.random() < 0.6 else []
        handler = ['except Exception as e:', f'    {self._reported("reported(e)")}']
        last = ['finally:', f'    {self._reported(f"await {self._coroutine(depth)}")}']
        return ['try:', *_indented(body), *handler, *(last if self._chance.random() < 0.4 else [])]

    def _held(self, tasks: list[str], depth: int) -> list[str]:
        waits = self._reported(f"await tool('{self._new('c')}', {self._seconds()})")
        return [f'async with {self._chance.choice(["sem", "lock"])}:', f'    {waits}']

    def _group(self, tasks: list[str], depth: int) -> list[str]:
        name, made = self._new('g'), [self._new('t') for _ in range(self._chance.randint(1, 3))]
        lines = [f'    {task} = {name}.create_task({self._coroutine(depth)})' for task in made]
        reported = [self._reported(f'{task}.result()') for task in made]
        return [f'async with asyncio.TaskGroup() as {name}:', *lines, *reported]

    def _passed_on(self, tasks: list[str], depth: int) -> list[str]:
        queue, pump, made = self._new('q'), self._new('pump_'), self._chance.randint(1, 3)
        return [
            f'{queue} = asyncio.Queue({self._chance.choice([0, 1, 2])})',
            f'async def {pump}(n):',
            f"    await {queue}.put(await tool(f'{self._new('c')}-{{n}}', {self._seconds()}))",
            self._reported(
                f'sorted((await asyncio.gather(*[{pump}(n) for n in range({made})], *[{queue}.get() for _ in range({made})]))[{made}:])'
            ),
        ]

    def _streamed(self, tasks: list[str], depth: int) -> list[str]:
        name = self._new('stream_')
        return [
            f'async def {name}():',
            f'    for n in range({self._chance.randint(1, 3)}):',
            f"        yield await tool(f'{self._new('c')}-{{n}}', {self._seconds()})",
            self._reported(f'[x async for x in {name}()]'),
        ]


def _indented(lines: list[str]) -> list[str]:
    return [f'    {line}' for line in lines]
