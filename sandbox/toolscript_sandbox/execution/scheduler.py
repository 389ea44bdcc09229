"""Decides which task of a script runs next, with one first-in-first-out queue, like asyncio's event loop.

Monty runs coroutines until each of them waits for something, and then asks the host. If it gets several results at
once, it wakes the coroutines in an order of its own; if it gets one at a time, the host decides the order. So tasks,
locks, queues and deadlines need only a few operations of the host, which the polyfill of `asyncio` calls as
`_loop__(...)`: park under a key, wake, run soon, and cancel. The rest of them is Python in this polyfill, and part of
Monty's dump; the scheduler is saved in the state next to the dump.

Two alternatives were tried: tasks that start when they are awaited, and locks that poll. Both behave differently from
asyncio and cannot be interrupted. The cost of the present design is one round trip to Monty for each park, wake and new
task, about as much as a call that takes no time.

A deadline pauses while a guarded task waits for a person's decision: the time that a human takes does not make a tool
slow, and otherwise no decision would come in time.
"""

import math
from collections import deque
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from .answers import cancellation
from .protocol import Raised, Returned

LOOP = '_loop__'
"""The function with which scripts call the scheduler."""

_TASK_STARTER = 0
"""The key under which the coroutine that starts tasks is parked."""


@dataclass
class ReadyItem:
    """An entry of the queue: a call or a job that is ready to run."""

    call: int | None
    """The suspended call that gets an answer; None for a job."""
    hops: int = 1
    """How many turns of the queue the item waits."""
    answer: Returned | Raised | None = None
    """The answer; None for the answer of the call itself."""
    job: int = 0
    """The number of a job."""
    since: float = 0.0
    """When it became ready, as `Scheduler.since`."""


@dataclass
class Timer:
    """A sleep or a deadline."""

    at: float | None
    """When it ends, on the clock of the script; None while it is paused, and for a sleep that does not end."""
    left: float = 0.0
    """The remaining seconds while it is paused."""
    guarded: list[int] | None = None
    """The tasks that a deadline guards; None for a sleep."""
    order: float = 0.0
    """When it would end if the host took no time: timers end in this order, so that `sleep(0.01)` ends before a
    `sleep(0.02)` of another task that started a little earlier."""


@dataclass
class Scheduler:
    """The queue, and the calls that wait to enter it, by Monty's numbers. Saved as it is."""

    now: float = 0.0
    """Seconds since the script began, except those between save and restore. The executor sets it."""
    since: float = 0.0
    """When the running task became ready, without the time that the host needed since then."""
    caught_up: float = 0.0
    """When `since` last lagged so far behind that it was set to `now`."""
    current: int = 0
    """The running task; 0 is the script itself."""
    is_used: bool = False
    """Whether the script has tasks, or may have."""
    leaving: dict[int, str] = field(default_factory=dict[int, str])
    """Cancelled calls that have not ended yet, and why they were cancelled."""
    queue: deque[ReadyItem] = field(default_factory=deque[ReadyItem])
    parked: dict[int, int] = field(default_factory=dict[int, int])
    """Suspended calls by the keys that wake them."""
    keys: dict[int, int] = field(default_factory=dict[int, int])
    """The inverse of `parked`, which is not saved."""
    owners: dict[int, int] = field(default_factory=dict[int, int])
    """The task that waits for each call."""
    timers: dict[int, Timer] = field(default_factory=dict[int, Timer])
    doomed: dict[int, str] = field(default_factory=dict[int, str])
    """Tasks that were cancelled before they waited for anything, with the reasons."""
    woken_to_end: dict[int, str] = field(default_factory=dict[int, str])
    last: int | None = None
    """The parked call that is answered with False when nothing else can run."""
    passes: int = 0
    """An upper bound of how often items will be passed over before the queue is empty."""

    def __post_init__(self) -> None:
        self.keys = self.keys or {call: key for key, call in self.parked.items()}

    def __bool__(self) -> bool:
        return bool(self.queue)

    def own(self, call: int) -> str | None:
        """Record that the running task waits for the call. Returns the reason if the task was already cancelled."""
        self.owners[call] = self.current
        return self.doomed.pop(self.current, None)

    def push(self, call: int, answer: Returned | Raised | None = None, hops: int = 1) -> None:
        """Add the call to the queue, where it waits for `hops` turns."""
        self.timers.pop(call, None)
        self.passes += max(0, hops - 1)
        self.queue.append(ReadyItem(call, hops, answer, since=self._ready_since()))

    def _ready_since(self) -> float:
        self.since = max(self.since, self.caught_up)
        if self.now - self.since > _LAG:
            self.since = self.caught_up = self.now
        return self.since

    def pop(self, pending: Container[int]) -> tuple[int, Returned | Raised | None] | None:
        """Remove and return the next call, with its answer unless a tool gives the answer."""
        while self.queue:
            turn = self.queue.popleft()
            if turn.hops > 1:
                turn.hops -= 1
                self.passes -= 1
                self.queue.append(turn)
                continue
            call = self.parked.get(_TASK_STARTER) if turn.call is None else turn.call
            if call is None:
                continue
            self.current, self.since = turn.job if turn.call is None else self.owners.get(call, 0), turn.since
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
        """Answer the call of the running task after this many seconds, or never if they are infinite."""
        reason = self.own(call)
        if reason is not None:
            self.push(call, cancellation(reason))
        elif seconds <= 0:
            self.push(call, Returned(None))
        else:
            end = self.now + seconds if math.isfinite(seconds) else None
            self.timers[call] = Timer(end, order=self._ready_since() + seconds)

    def park(self, call: int, key: int, seconds: float | None, guarded: list[int]) -> None:
        """Answer the call with True when its key is woken, or with False when its deadline has passed."""
        self.is_used = True
        self.parked[key], self.keys[call] = call, key
        if key == _TASK_STARTER:
            return  # No task owns it.
        reason = self.own(call)
        if reason is not None:
            self.push(call, cancellation(reason))
        elif seconds is not None and math.isfinite(seconds):
            self.timers[call] = Timer(self.now + seconds, guarded=guarded, order=self._ready_since() + seconds)

    def wake(self, key: int, hops: int) -> bool:
        """Add the call that is parked under the key to the queue. Returns False if the queue is full."""
        if self.passes + hops > MAX_PASSES:
            return False
        call, reason = self.parked.pop(key, None), self.woken_to_end.pop(key, None)
        if call is not None:
            self.push(call, Returned(True) if reason is None else cancellation(reason), hops)
        return True

    def doom(self, key: int, reason: str) -> None:
        """Cancel the call that is parked under the key once it is woken, which is about to happen."""
        if key in self.parked:
            self.woken_to_end[key] = reason

    def soon(self, job: int) -> bool:
        """Add a job to the queue. Returns False if the queue is full."""
        self.is_used = True
        if len(self.queue) >= MAX_TURNS:
            return False
        self.queue.append(ReadyItem(None, job=job, since=self._ready_since()))
        return True

    def cancel(self, task: int, reason: str) -> tuple[list[int], list[int], float]:
        """Cancel a task. Returns the calls and the keys that it waits for, which the caller must cancel, and the
        seconds of its sleep that remained."""
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
        """Wake the call that waits until nothing else can run. Returns whether there is one."""
        call, self.last = self.last, None
        if call is None or call not in self.keys:
            return False
        self.parked.pop(self.keys[call], None)
        self.push(call, Returned(False))
        return True

    def owned_by(self, task: int, pending: Iterable[int]) -> int | None:
        """Return a call that the task waits for, or else any other one."""
        calls = list(pending)
        return next((call for call in calls if self.owners.get(call) == task), calls[0] if calls else None)

    def settle_timers(self, waiting: Iterable[int]) -> float | None:
        """Pause and restart deadlines, and queue due timers. Returns the seconds until the next one, or None."""
        if not self.timers:
            return None
        now = self.now
        owners = {self.owners.get(call) for call in waiting}
        held = {*owners, *(self.owners.get(call) for call in self.keys)} if owners else set[int | None]()
        following: float | None = None
        for call, timer in sorted(self.timers.items(), key=lambda item: item[1].order):
            if timer.guarded is not None:
                is_stopped = not held.isdisjoint(timer.guarded)
                if is_stopped and timer.at is not None:
                    timer.at, timer.left = None, timer.at - now
                elif not is_stopped and timer.at is None:
                    timer.at = timer.order = now + timer.left
            if timer.at is None or following is not None:
                continue
            if timer.at <= now + _INSTANT:
                self._expire(call, timer)
            else:
                following = timer.at - now
        return following

    def _expire(self, call: int, timer: Timer) -> None:
        self.since = timer.order
        if timer.guarded is None:
            self.push(call, Returned(None), 2)
        else:
            self.parked.pop(self.keys.get(call, -1), None)
            self.push(call, Returned(False))

    def only_deadlines(self) -> bool:
        """Return whether all timers are deadlines, so that no sleep will let a task run."""
        return all(timer.guarded is not None or timer.at is None for timer in self.timers.values())

    def has_endless_sleeps(self) -> bool:
        """Return whether a task sleeps until it is cancelled."""
        return any(timer.guarded is None and timer.at is None for timer in self.timers.values())


def numbers_in(text: str) -> list[int]:
    """Return the numbers of tasks in a text from a script, which may contain anything."""
    return [int(word) for word in text.split() if word.isdecimal() and len(word) < _LONG]


MAX_TURNS = 100_000
"""The maximum length of the queue when a job is added."""
MAX_PASSES = 200_000
"""The limit of `passes`. A script chooses how many turns an item waits, and nothing else runs while the host counts."""
_LONG = 19
_LAG = 0.25
"""The most seconds of the host and of the script's own work that the order of timers ignores."""
_INSTANT = 1e-9
"""Seconds by which sums of times may differ because of rounding."""
