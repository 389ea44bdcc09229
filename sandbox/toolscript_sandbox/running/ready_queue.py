"""Who of a script goes on next: one queue, first in, first out, as the loop of asyncio has it.

Monty runs coroutines until each of them waits for something, and then asks the host. Given several results at once it
wakes those who wait in an order of its own; given one at a time, the order is the host's. So tasks, locks, queues and
deadlines need only a few things of the host, which a script reaches as `_loop__(...)` through the guest's `asyncio`:
to be parked under a key, to be woken, to have something run soon, and to be cancelled. Everything else about them is
Python in `lowering/guest/asyncio.py`, and lives in Monty's dump; what is here goes into the state beside it.

Tried before: tasks that start when somebody waits for them, and locks that ask again and again. Both mean something
else than asyncio does, and cannot be interrupted. What this costs is one turn to Monty and back for each park, wake and
new task, about as much as a call that takes no time.

A deadline stands still while what it guards waits for somebody's decision: the time that a human takes is no slowness
of a tool, and nobody could decide in time otherwise.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Container, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from .answers import Answer

LOOP = '_loop__'
"""The function under which a script reaches this."""

_NURSERY = 0
"""The key under which the one is parked that starts tasks."""


@dataclass
class Turn:
    """Somebody who is ready."""

    call: int | None
    """The suspended call that gets an answer; None for a job."""
    hops: int = 1
    """How many turns of the queue it takes."""
    answer: Answer | None = None
    """None: the answer of the call itself."""
    job: int = 0
    """For what is to be run soon, its number."""


@dataclass
class Timer:
    """Something that time alone ends."""

    at: float | None
    """On the clock of the event loop; None while it stands still."""
    left: float = 0.0
    """Seconds, while it stands still."""
    guarded: list[int] | None = None
    """The tasks that a deadline guards; None for a sleep."""


@dataclass
class Ready:
    """The queue, and who is not in it yet."""

    clock: Callable[[], float]
    current: int = 0
    """The task that runs; 0 is the script itself."""
    is_used: bool = False
    """Whether the script has tasks, or may have."""
    leaving: dict[int, str] = field(default_factory=dict[int, str])
    """Cancelled calls that have not ended yet, and why they were cancelled."""
    _queue: deque[Turn] = field(default_factory=deque[Turn])
    _turns: dict[int, Turn] = field(default_factory=dict[int, Turn])
    _parked: dict[int, int] = field(default_factory=dict[int, int])
    _keys: dict[int, int] = field(default_factory=dict[int, int])
    _owners: dict[int, int] = field(default_factory=dict[int, int])
    _timers: dict[int, Timer] = field(default_factory=dict[int, Timer])
    _doomed: dict[int, str] = field(default_factory=dict[int, str])
    _woken_to_end: dict[int, str] = field(default_factory=dict[int, str])
    _last: int | None = None
    _passes: int = 0
    """How often turns in the queue are passed over before all of them are taken, at most."""

    def __bool__(self) -> bool:
        return bool(self._queue)

    def own(self, call: int) -> str | None:
        """The running task waits for the call. The reason, if the task was cancelled before."""
        self._owners[call] = self.current
        return self._doomed.pop(self.current, None)

    def push(self, call: int, answer: Answer | None = None, hops: int = 1) -> None:
        """Somebody goes on when his turn comes."""
        self._timers.pop(call, None)
        turn = self._turns[call] = Turn(call, hops, answer)
        self._passes += max(0, hops - 1)
        self._queue.append(turn)

    def sort(self) -> None:
        """Those that wait for calls go on in the order of these."""
        self._queue = deque(sorted(self._queue, key=lambda turn: (turn.call is not None, turn.call or 0)))

    def drop(self, call: int) -> None:
        """The call was answered where it stood."""
        if call in self._turns:
            turn = self._turns.pop(call)
            self._queue.remove(turn)
            self._passes -= max(0, turn.hops - 1)
        self._forget(call)

    def pop(self, pending: Container[int]) -> tuple[int, Answer | None] | None:
        """Whose turn it is, and his answer if it is none of a call."""
        while self._queue:
            turn = self._queue.popleft()
            if turn.hops > 1:
                turn.hops -= 1
                self._passes -= 1
                self._queue.append(turn)
                continue
            found = self._starter(turn) if turn.call is None else self._owner(turn.call, turn)
            if found is not None and found[0] in pending:
                return found
        return None

    def _starter(self, turn: Turn) -> tuple[int, Answer | None] | None:
        call = self._parked.pop(_NURSERY, None)
        if call is None:
            return None
        self._forget(call)
        self.current = turn.job
        return call, {'return_value': turn.job}

    def _owner(self, call: int, turn: Turn) -> tuple[int, Answer | None]:
        del self._turns[call]
        self.current = self._owners.get(call, 0)
        self._forget(call)
        return call, turn.answer

    def _forget(self, call: int) -> None:
        self._owners.pop(call, None)
        if call in self._timers:
            del self._timers[call]
        if call in self._keys:
            key = self._keys.pop(call)
            if self._parked.get(key) == call:
                del self._parked[key]

    def sleep(self, call: int, seconds: float) -> None:
        """Somebody goes on after so many seconds."""
        if seconds <= 0:
            self.push(call, {'return_value': None})
        else:
            self._timers[call] = Timer(self.clock() + seconds)

    def park(self, call: int, key: int, seconds: float | None, guarded: list[int]) -> None:
        """Somebody goes on when his key is woken (and gets True), or his deadline has come (and gets False)."""
        self.is_used = True
        self._parked[key], self._keys[call] = call, key
        if key == _NURSERY:
            return  # It is nobody's.
        reason = self.own(call)
        if reason is not None:
            self.push(call, cancellation(reason))
        elif seconds is not None and math.isfinite(seconds):
            self._timers[call] = Timer(self.clock() + seconds, guarded=guarded)

    def park_until_stuck(self, call: int, key: int) -> None:
        """Somebody goes on when his key is woken, or when nobody else can go on."""
        self.park(call, key, None, [])
        self._last = call

    def wake(self, key: int, hops: int) -> bool:
        """Whoever is parked there is ready; whether there was room."""
        if self._passes + hops > MOST_PASSES:
            return False
        call, reason = self._parked.pop(key, None), self._woken_to_end.pop(key, None)
        if call is not None:
            self.push(call, {'return_value': True} if reason is None else cancellation(reason), hops)
        return True

    def doom(self, key: int, reason: str) -> None:
        """Whoever is parked there is cancelled once he is woken, which is about to happen."""
        if key in self._parked:
            self._woken_to_end[key] = reason

    def soon(self, job: int) -> bool:
        """Have something run; whether there was room."""
        self.is_used = True
        if len(self._queue) >= MOST_TURNS:
            return False
        self._queue.append(Turn(None, job=job))
        return True

    def cancel(self, task: int, reason: str) -> tuple[list[int], list[int]]:
        """The calls that the task waits for, and the keys under which it is parked; the rest is done."""
        calls = [call for call, owner in self._owners.items() if owner == task]
        if not calls:
            self._doomed[task] = reason
        keys = [self._keys[call] for call in calls if call not in self._turns and call in self._keys]
        others = list[int]()
        for call in calls:
            if call in self._turns:
                self._turns[call].answer = cancellation(reason)
            elif call in self._timers and call not in self._keys:
                self.push(call, cancellation(reason))
            elif call not in self._keys:
                others.append(call)
        return others, keys

    def unstick(self) -> bool:
        """Tell whoever wants to know that nobody else can go on; whether there is one."""
        call, self._last = self._last, None
        if call is None or call not in self._keys:
            return False
        self._parked.pop(self._keys[call], None)
        self.push(call, {'return_value': False})
        return True

    def owned_by(self, task: int, pending: Iterable[int]) -> int | None:
        """A call that the task waits for; any other where there is none."""
        calls = list(pending)
        return next((call for call in calls if self._owners.get(call) == task), calls[0] if calls else None)

    def settle_timers(self, waiting: Iterable[int], *, last: bool = False) -> float | None:
        """Let deadlines stand still or go on, and push whose time has come.

        Seconds until the next (or the `last`); None without one.
        """
        if not self._timers:
            return None
        now = self.clock()
        owners = {self._owners.get(call) for call in waiting}
        for call, timer in sorted(self._timers.items(), key=_when):
            if timer.guarded is not None:
                _stand(timer, now, still=bool(owners) and self._guards(timer.guarded, owners))
            if timer.at is not None and timer.at <= now:
                self._ring(call, timer)
        ends = [timer.at for timer in self._timers.values() if timer.at is not None]
        return max(0.0, (max(ends) if last else min(ends)) - now) if ends else None

    def _ring(self, call: int, timer: Timer) -> None:
        if timer.guarded is None:
            self.push(call, {'return_value': None}, 2)
        else:
            self._parked.pop(self._keys.get(call, -1), None)
            self.push(call, {'return_value': False})

    def _guards(self, guarded: list[int], owners: Container[int | None]) -> bool:
        parked = {self._owners.get(call) for call in self._keys}
        return any(task in owners or task in parked for task in guarded)

    def only_deadlines(self) -> bool:
        """Whether no sleep is left that could let somebody go on."""
        return all(timer.guarded is not None for timer in self._timers.values())

    def to_json(self) -> dict[str, Any]:
        """All of it, as JSON."""
        now = self.clock()
        return {
            'current': self.current,
            'used': self.is_used,
            'leaving': list(self.leaving.items()),
            'queue': [asdict(turn) for turn in self._queue],
            'parked': list(self._parked.items()),
            'keys': list(self._keys.items()),
            'owners': list(self._owners.items()),
            'timers': [(call, _left(timer, now), timer.guarded) for call, timer in self._timers.items()],
            'doomed': list(self._doomed.items()),
            'woken to end': list(self._woken_to_end.items()),
            'last': self._last,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any], clock: Callable[[], float]) -> Ready:
        """The queue again; what was left of sleeps and deadlines is left again."""
        queue = deque(Turn(**turn) for turn in data['queue'])
        ready = cls(
            clock,
            data['current'],
            data['used'],
            _queue=queue,
            _passes=sum(max(0, turn.hops - 1) for turn in queue),
            _turns={turn.call: turn for turn in queue if turn.call is not None},
            _parked=dict(data['parked']),
            _keys=dict(data['keys']),
            _owners=dict(data['owners']),
            _timers={call: Timer(clock() + left, guarded=guarded) for call, left, guarded in data['timers']},
            _doomed=dict(data['doomed']),
            _woken_to_end=dict(data['woken to end']),
            _last=data['last'],
        )
        for call, reason in data['leaving']:
            # Nobody runs it any more.
            ready.push(call, cancellation(reason))
        return ready


def cancellation(reason: str) -> Answer:
    """What a cancelled task sees; the guest's `asyncio` says why it is this."""
    return {'exc_type': 'SystemExit', 'message': reason} if reason else {'exc_type': 'SystemExit'}


def numbers_in(text: str) -> list[int]:
    """The numbers of tasks in a text that a script sent, which may hold anything."""
    return [int(word) for word in text.split() if word.isdecimal() and len(word) < _LONG]


def _when(item: tuple[int, Timer]) -> float:
    return item[1].at if item[1].at is not None else float('inf')


def _stand(timer: Timer, now: float, *, still: bool) -> None:
    if still and timer.at is not None:
        timer.at, timer.left = None, timer.at - now
    elif not still and timer.at is None:
        timer.at = now + timer.left


def _left(timer: Timer, now: float) -> float:
    return max(0.0, timer.left if timer.at is None else timer.at - now)


MOST_TURNS = 100_000
"""That may be in the queue when something more is to be run soon."""
MOST_PASSES = 200_000
"""A script says how many passes a turn takes; nobody else goes on while the host counts them."""
_LONG = 19
