"""Which task of a script runs next: one queue, first in, first out, as the loop of asyncio has it.

Monty runs coroutines until each of them waits for something, and then asks the host. Given several results at once it
wakes the waiting coroutines in an order of its own; given one at a time, the order is the host's. So tasks, locks,
queues and deadlines need only a few things of the host, which a script reaches as `_loop__(...)` through the guest's
`asyncio`: to be parked under a key, to be woken, to have something run soon, and to be cancelled. Everything else about
them is Python in the guest's `asyncio`, and lives in Monty's dump; what is here goes into the state beside it.

Tried before: tasks that start when they are awaited, and locks that ask again and again. Both mean something
else than asyncio does, and cannot be interrupted. What this costs is one turn to Monty and back for each park, wake and
new task, about as much as a call that takes no time.

A deadline stops while what it guards waits for a person's decision: the time that a human takes is no slowness of a
tool, and no decision could come in time otherwise.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from .answers import cancellation
from .protocol import Raised, Returned

LOOP = '_loop__'
"""The function under which a script reaches this."""

_NURSERY = 0
"""The key under which the one is parked that starts tasks."""


@dataclass
class ReadyItem:
    """What is ready to run."""

    call: int | None
    """The suspended call that gets an answer; None for a job."""
    hops: int = 1
    """How many turns of the queue it takes."""
    answer: Returned | Raised | None = None
    """None: the answer of the call itself."""
    job: int = 0
    """For what is to run soon, its number."""


@dataclass
class Timer:
    """What time alone ends."""

    at: float | None
    """On the clock of the script; None while it is stopped, and for a sleep that does not end."""
    left: float = 0.0
    """Seconds, while it is stopped."""
    guarded: list[int] | None = None
    """The tasks that a deadline guards; None for a sleep."""


@dataclass
class Scheduler:
    """The queue, and what is not in it yet. Calls are known by Monty's numbers. It is saved as it is."""

    now: float = 0.0
    """Seconds since the script began, without those between a state and its restoring. The executor sets it."""
    current: int = 0
    """The task that runs; 0 is the script itself."""
    is_used: bool = False
    """Whether the script has tasks, or may have."""
    leaving: dict[int, str] = field(default_factory=dict[int, str])
    """Cancelled calls that have not ended yet, and why they were cancelled."""
    queue: deque[ReadyItem] = field(default_factory=deque[ReadyItem])
    parked: dict[int, int] = field(default_factory=dict[int, int])
    """Suspended calls by the keys that wake them."""
    keys: dict[int, int] = field(default_factory=dict[int, int])
    """The same the other way around: it is not saved."""
    owners: dict[int, int] = field(default_factory=dict[int, int])
    """The tasks that wait for the calls."""
    timers: dict[int, Timer] = field(default_factory=dict[int, Timer])
    doomed: dict[int, str] = field(default_factory=dict[int, str])
    """Tasks that were cancelled before they waited for anything, and why."""
    woken_to_end: dict[int, str] = field(default_factory=dict[int, str])
    last: int | None = None
    """The call that is woken when nothing else can run."""
    passes: int = 0
    """How often turns in the queue are passed over before all of them are taken, at most."""

    def __post_init__(self) -> None:
        self.keys = self.keys or {call: key for key, call in self.parked.items()}

    def __bool__(self) -> bool:
        return bool(self.queue)

    def own(self, call: int) -> str | None:
        """The running task waits for the call. The reason, if the task was cancelled before."""
        self.owners[call] = self.current
        return self.doomed.pop(self.current, None)

    def push(self, call: int, answer: Returned | Raised | None = None, hops: int = 1) -> None:
        """The call gets its answer when its turn comes."""
        self.timers.pop(call, None)
        self.passes += max(0, hops - 1)
        self.queue.append(ReadyItem(call, hops, answer))

    def pop(self, pending: Container[int]) -> tuple[int, Returned | Raised | None] | None:
        """The call whose turn it is, and its answer unless that is a tool's."""
        while self.queue:
            turn = self.queue.popleft()
            if turn.hops > 1:
                turn.hops -= 1
                self.passes -= 1
                self.queue.append(turn)
                continue
            call = self.parked.get(_NURSERY) if turn.call is None else turn.call
            if call is None:
                continue
            self.current = turn.job if turn.call is None else self.owners.get(call, 0)
            self._forget(call)
            if call in pending:
                return call, Returned(turn.job) if turn.call is None else turn.answer
        return None

    def _turn_of(self, call: int) -> ReadyItem | None:
        return next((turn for turn in self.queue if turn.call == call), None)

    def _forget(self, call: int) -> None:
        self.owners.pop(call, None)
        if call in self.timers:
            del self.timers[call]
        if call in self.keys:
            key = self.keys.pop(call)
            if self.parked.get(key) == call:
                del self.parked[key]

    def sleep(self, call: int, seconds: float) -> None:
        """The call gets its answer after so many seconds, or never, if they are infinite."""
        if seconds <= 0:
            self.push(call, Returned(None))
        else:
            self.timers[call] = Timer(self.now + seconds if math.isfinite(seconds) else None)

    def park(self, call: int, key: int, seconds: float | None, guarded: list[int]) -> None:
        """The call gets True when its key is woken, or False when its deadline has come."""
        self.is_used = True
        self.parked[key], self.keys[call] = call, key
        if key == _NURSERY:
            return  # No task owns it.
        reason = self.own(call)
        if reason is not None:
            self.push(call, cancellation(reason))
        elif seconds is not None and math.isfinite(seconds):
            self.timers[call] = Timer(self.now + seconds, guarded=guarded)

    def park_until_stuck(self, call: int, key: int) -> None:
        """The call gets True when its key is woken, or False when nothing else can run."""
        self.park(call, key, None, [])
        self.last = call

    def wake(self, key: int, hops: int) -> bool:
        """What is parked there is ready; whether there was room."""
        if self.passes + hops > MOST_PASSES:
            return False
        call, reason = self.parked.pop(key, None), self.woken_to_end.pop(key, None)
        if call is not None:
            self.push(call, Returned(True) if reason is None else cancellation(reason), hops)
        return True

    def doom(self, key: int, reason: str) -> None:
        """What is parked there is cancelled once it is woken, which is about to happen."""
        if key in self.parked:
            self.woken_to_end[key] = reason

    def soon(self, job: int) -> bool:
        """Have something run; whether there was room."""
        self.is_used = True
        if len(self.queue) >= MOST_TURNS:
            return False
        self.queue.append(ReadyItem(None, job=job))
        return True

    def cancel(self, task: int, reason: str) -> tuple[list[int], list[int], float]:
        """The calls that the task waits for, the keys under which it is parked, and the seconds of sleep that it is
        spared; the rest is done."""
        calls = [call for call, owner in self.owners.items() if owner == task]
        if not calls:
            self.doomed[task] = reason
        keys = [self.keys[call] for call in calls if call in self.keys and self._turn_of(call) is None]
        others, unslept = list[int](), 0.0
        for call in calls:
            turn = self._turn_of(call)
            if turn is not None:
                turn.answer = cancellation(reason)
            elif call in self.timers and call not in self.keys:
                unslept += max(0.0, (self.timers[call].at or 0.0) - self.now)
                self.push(call, cancellation(reason))
            elif call not in self.keys:
                others.append(call)
        return others, keys, unslept

    def unstick(self) -> bool:
        """Wake the call that waits for nothing else to run; whether there is one."""
        call, self.last = self.last, None
        if call is None or call not in self.keys:
            return False
        self.parked.pop(self.keys[call], None)
        self.push(call, Returned(False))
        return True

    def owned_by(self, task: int, pending: Iterable[int]) -> int | None:
        """A call that the task waits for; any other where there is none."""
        calls = list(pending)
        return next((call for call in calls if self.owners.get(call) == task), calls[0] if calls else None)

    def settle_timers(self, waiting: Iterable[int]) -> float | None:
        """Stop and restart deadlines, and push what is due. Seconds until the next one; None without one."""
        if not self.timers:
            return None
        now = self.now
        owners = {self.owners.get(call) for call in waiting}
        held = {*owners, *(self.owners.get(call) for call in self.keys)} if owners else set[int | None]()
        for call, timer in sorted(self.timers.items(), key=_when):
            if timer.guarded is not None:
                _stop_or_restart(timer, now, stopped=not held.isdisjoint(timer.guarded))
            if timer.at is not None and timer.at <= now + _INSTANT:
                self._ring(call, timer)
        ends = [timer.at for timer in self.timers.values() if timer.at is not None]
        return max(0.0, min(ends) - now) if ends else None

    def _ring(self, call: int, timer: Timer) -> None:
        if timer.guarded is None:
            self.push(call, Returned(None), 2)
        else:
            self.parked.pop(self.keys.get(call, -1), None)
            self.push(call, Returned(False))

    def only_deadlines(self) -> bool:
        """Whether no sleep is left that would let a task run."""
        return all(timer.guarded is not None or timer.at is None for timer in self.timers.values())

    def has_endless_sleeps(self) -> bool:
        """Whether a task sleeps until it is cancelled."""
        return any(timer.guarded is None and timer.at is None for timer in self.timers.values())


def numbers_in(text: str) -> list[int]:
    """The numbers of tasks in a text that a script sent, which may hold anything."""
    return [int(word) for word in text.split() if word.isdecimal() and len(word) < _LONG]


def _when(item: tuple[int, Timer]) -> float:
    return item[1].at if item[1].at is not None else float('inf')


def _stop_or_restart(timer: Timer, now: float, *, stopped: bool) -> None:
    if stopped and timer.at is not None:
        timer.at, timer.left = None, timer.at - now
    elif not stopped and timer.at is None:
        timer.at = now + timer.left


MOST_TURNS = 100_000
"""That may be in the queue when something more is to be run soon."""
MOST_PASSES = 200_000
"""A script says how many passes a turn takes; nothing else runs while the host counts them."""
_LONG = 19
_INSTANT = 1e-9
"""Seconds by which sums of times differ from each other."""
