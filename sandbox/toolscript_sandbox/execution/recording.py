"""Records what the scripts of a session do, so that another version of Monty can replay it.

Only the version of Monty that wrote a dump can read it. A recording is for every version: it contains the scripts as
the model wrote them, and all input from outside. The executor passes calls, answers and times to a `Recorder`.
"""

import hashlib
import marshal
import secrets
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import PurePath, PurePosixPath
from typing import Any, TypeAlias

from pydantic_monty import MontyFileHandle, StatResult
from pydantic_monty.os_access import ScanEntry

from toolscript_sandbox.contract.calls import Call
from toolscript_sandbox.contract.frozen_clock import FrozenClock, HostClock, SessionClock

from .protocol import Answer, Raised, Returned

FileQuestion: TypeAlias = tuple[str, tuple[Any, ...], Mapping[str, Any]]
"""A file operation: its name and arguments."""


@dataclass
class RecordedStep:
    """One step of a script."""

    answers: list[Answer]
    times: list[float] = field(default_factory=list[float])
    """The times that it read, on the clock of sleeps and deadlines."""
    calls: list[tuple[int, str, list[Any], dict[str, Any]]] = field(default_factory=list[Any])
    """The calls that it then made: their ids, functions and arguments."""


@dataclass
class FileOperation:
    """A file operation of a script, and its answer."""

    what: str
    """A description for messages."""
    digest: str
    """A digest of all arguments."""
    answer: Returned | Raised


@dataclass
class RecordedScript:
    """One script, or the rest of one if the previous segment ended while it waited."""

    code: str = ''
    checkpoints: bool = False
    """Whether a step ended before each change of a file."""
    turns: list[RecordedStep] = field(default_factory=list[RecordedStep])
    files: list[FileOperation] = field(default_factory=list[FileOperation])


@dataclass
class Segment:
    """The part of a recording that one worker ran."""

    began: float = 0.0
    """When the segment began, in seconds since the epoch. A frozen clock shows this moment."""
    seed: str = ''
    """The seed of its random numbers, in hexadecimal digits."""
    asks_host: bool = False
    """Whether its scripts asked the host for the time, so that each answer is recorded."""
    scripts: list[RecordedScript] = field(default_factory=list[RecordedScript])

    @classmethod
    def beginning(cls, clock: SessionClock | None) -> 'Segment':
        """Return a segment that begins now, or at the moment of the clock."""
        moment = (None if clock is None else clock.moment) or datetime.now(UTC)
        seed = secrets.token_bytes(32) if clock is None else clock.seed
        return cls(moment.timestamp(), seed.hex(), isinstance(clock, HostClock))

    @property
    def clock(self) -> SessionClock:
        """A clock that shows the moment when the segment began."""
        kind = HostClock if self.asks_host else FrozenClock
        return kind(datetime.fromtimestamp(self.began, UTC), bytes.fromhex(self.seed))


@dataclass
class Recording:
    """The segments of a session. Each except the last ended when a script waited, or when the session was saved."""

    segments: list[Segment] = field(default_factory=list[Segment])
    incomplete: str = ''
    """Why the session cannot be replayed; empty if it can."""
    size: int = 0

    def add(self, *values: Any) -> None:
        """Count the size of recorded values. A recording that becomes too large is dropped."""
        if not self.incomplete:
            least = sum(len(value) for value in values if type(value) in _SIZED)
            # Version 2 of the format writes shared parts each time, like JSON.
            self.size += least if least > MAX_RECORDED else _LEAST + len(marshal.dumps(values, 2))
            if self.size > MAX_RECORDED:
                self.give_up(f'what its calls and files returned takes more than {MAX_RECORDED:,} bytes')

    def give_up(self, reason: str) -> None:
        """Drop the recording; the session cannot be replayed from now on."""
        self.incomplete = self.incomplete or reason
        self.segments.clear()


class Recorder:
    """Records what one script of a session does, unless the recording is incomplete."""

    replays = False
    """Whether file operations have recorded answers, so that the host's files are not even read."""

    def __init__(self, recording: Recording, script: RecordedScript) -> None:
        self.script = script
        self._recording = recording
        if not recording.incomplete:
            recording.segments[-1].scripts.append(script)
            recording.add(script.code)

    def time(self, now: float) -> float:
        """Return the time on the clock of sleeps and deadlines."""
        now = round(now, _DIGITS)
        if self.script.turns and not self._recording.incomplete:
            self.script.turns[-1].times.append(now)
            self._recording.add()
        return now

    def answered(self, answers: Sequence[Answer]) -> None:
        """Record that the script advances with these answers."""
        if not self._recording.incomplete:
            self.script.turns.append(RecordedStep([*answers]))
            self._recording.add(*map(_content, answers))

    def called(self, calls: Sequence[Call]) -> None:
        """Record the calls that the script makes."""
        if calls and not self._recording.incomplete:
            noted = [(call.id, call.function, [*call.args], call.kwargs) for call in calls]
            self.script.turns[-1].calls = noted
            self._recording.add(*[part for one in noted for part in one])

    def replayed(self, asked: FileQuestion) -> Returned | Raised | None:
        """Return the recorded answer to a file operation; None if it must be carried out."""

    def file(self, asked: FileQuestion, answer: Returned | Raised) -> None:
        """Record the answer to a file operation."""
        if not self._recording.incomplete:
            content = answer.value if isinstance(answer, Returned) else None
            is_text = isinstance(content, str | bytes)
            self._recording.add(content if is_text else _encoded(content) if isinstance(content, list) else None)
        if not self._recording.incomplete:
            noted = Returned(_encoded(answer.value)) if isinstance(answer, Returned) else answer
            self.script.files.append(FileOperation(*operation(asked), noted))


def _content(answer: Answer) -> Any:
    match answer.outcome:
        case Returned(value):
            return value
        case Raised(type_name, message):
            return [type_name, message]
        case _:
            return None


def operation(asked: FileQuestion) -> tuple[str, str]:
    """Return the description and the digest of a file operation."""
    name, args, kwargs = asked
    path = args[0].path if isinstance(args[0], MontyFileHandle) else args[0]
    digest = hashlib.sha256(f'{name} {path} {sorted(kwargs.items())}'.encode('utf-8', 'surrogatepass'))
    for arg in args[1:]:
        digest.update(arg if isinstance(arg, bytes) else str(arg).encode('utf-8', 'surrogatepass'))
    return f'{name.removeprefix("Path.")} of {str(path)!r}', digest.hexdigest()


def file_answer_of(noted: Returned | Raised) -> Returned | Raised:
    """Convert a recorded answer back to the answer of a file operation."""
    return Returned(_decoded(noted.value)) if isinstance(noted, Returned) else noted


def _encoded(value: Any) -> Any:
    whole = value
    for tag, (kind, write, _) in _TAGS.items():
        if isinstance(value, kind):
            return {tag: write(value)}
    return [*map(_encoded, whole)] if isinstance(value, list | tuple) else whole


def _decoded(value: Any) -> Any:
    whole = value
    if isinstance(value, dict):
        ((tag, content),) = whole.items()
        return _TAGS[tag][2](content)
    return [*map(_decoded, whole)] if isinstance(value, list) else whole


_TAGS: dict[str, tuple[type[Any], Callable[[Any], Any], Callable[[Any], Any]]] = {
    'bytes': (bytes, lambda data: b64encode(data).decode(), b64decode),
    'path': (PurePath, str, PurePosixPath),
    'handle': (MontyFileHandle, lambda file: [file.path, file.mode], lambda parts: MontyFileHandle(*parts)),
    'stat': (StatResult, list, lambda parts: StatResult(*parts)),
    'entry': (ScanEntry, list, lambda parts: ScanEntry(*parts)),
}
"""For each kind of answer that is not plain JSON: its type, and functions that convert it to JSON and back."""
MAX_RECORDED = 1_000_000
"""The maximum size in bytes, roughly as JSON. A larger recording would make snapshots large and pauses slow."""
_DIGITS = 4
"""Decimal places of recorded seconds, of which a state has many."""
_LEAST = 16
"""The least number of bytes counted for a value."""
_SIZED = frozenset[type[Any]]([str, bytes, list, dict])
