"""A script between two steps, and a session between two scripts, as bytes."""

from __future__ import annotations

import json
import lzma
import struct
import zlib
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

from pydantic import TypeAdapter, ValidationError

from toolscript_sandbox.contract.calls import Call, CallRecord
from toolscript_sandbox.contract.errors import OtherVersion, StateError
from toolscript_sandbox.language.snippet import Snippet

from .file_calls import Seen
from .memory import Memory
from .protocol import Raised, Returned
from .recording import Recording
from .scheduler import Scheduler


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        # A source tree on the path.
        return 'of unknown version'


MONTY = f'pydantic-monty {_version("pydantic-monty")}'
"""What dumps, and loads only what the same version dumped."""
WRITER = f'toolscript {_version("toolscript")} with {MONTY}'


OpenStatus: TypeAlias = Literal['not asked', 'asked', 'waiting', 'answered']


@dataclass
class OpenCall:
    """A call that the script has made, and whose answer it does not have yet."""

    call: Call
    status: OpenStatus = 'not asked'
    """`asked`: the caller has it. `waiting`: the caller said that it waits for the outside."""
    answer: Returned | Raised | None = None
    """Set once it is `answered`."""


@dataclass
class _Saved:
    """What is written as JSON, followed by a dump of Monty's."""

    dump: bytes = field(default=b'', kw_only=True)
    written_by: str = field(default='', kw_only=True)

    MAGIC: ClassVar[bytes]
    WHAT: ClassVar[str]
    READERS: ClassVar[str]
    """Who can read it: another version may mean something else by the same bytes."""

    def to_bytes(self) -> bytes:
        """A magic, the length of the JSON, and both, compressed."""
        facts = _adapter(type(self)).dump_python(
            self, exclude={'dump': True, 'scheduler': {'keys'}}, exclude_defaults=True
        )
        text = json.dumps({**facts, 'written_by': self.READERS}, default=list).encode()
        return self.MAGIC + self._packed(b''.join([_LENGTH.pack(len(text)), text, self.dump]))

    @classmethod
    def from_bytes(cls: type[S], data: bytes) -> S:
        """The same again. Raises `StateError` for all that this version did not write."""
        try:
            facts, dump = cls._parts(data)
            if (writer := facts['written_by']) != cls.READERS:
                raise OtherVersion(f'{writer} wrote {cls.WHAT}, and this is {cls.READERS}')
            saved = _adapter(cls).validate_python(facts)
        except _DAMAGED as error:
            raise StateError(f'{cls.WHAT} is damaged') from error
        saved.dump = dump
        return saved

    @classmethod
    def _parts(cls, data: bytes) -> tuple[dict[str, Any], bytes]:
        if not data.startswith(cls.MAGIC):
            raise StateError(f'these bytes are not {cls.WHAT}')
        content = cls._unpacked(data[len(cls.MAGIC) :])
        end = _LENGTH.size + _LENGTH.unpack_from(content)[0]
        return json.loads(content[_LENGTH.size : end]), content[end:]

    def _packed(self, content: bytes) -> bytes:
        # With a sum over all, and as it is: a session may be large, and is bounded by its size.
        return zlib.compress(content, 0)

    @staticmethod
    def _unpacked(data: bytes) -> bytes:
        return zlib.decompress(data)


S = TypeVar('S', bound=_Saved)


@dataclass
class State(_Saved):
    """All that belongs to a running script, besides its worker. The executor changes it; it is saved as it is."""

    MAGIC: ClassVar[bytes] = b'toolscript script\x03'
    WHAT: ClassVar[str] = 'the state of a suspended snippet'
    READERS: ClassVar[str] = MONTY

    snippet: Snippet
    code: str
    """What runs, once the snippet has been fitted to the functions."""
    memory: Memory
    """What the session knows once the script has run to its end."""
    known: frozenset[str] = frozenset()
    """Variables that the script found."""
    stdout: str = ''
    """Before it was restored."""
    slept: float = 0.0
    """Seconds."""
    seconds: float = 0.0
    """The time that the script took on the host. Monty stops a script that computes too long, but not one that makes
    the host do many small things. What the caller does between two steps does not count."""
    calls: int = 0
    """How many the script has made."""
    open: dict[int, OpenCall] = field(default_factory=dict[int, OpenCall])
    """By Monty's numbers."""
    unasked: list[CallRecord] = field(default_factory=list[CallRecord])
    """Calls that the script cancelled before the caller had them."""
    last_failed: tuple[int | None, str] | None = None
    """Line and error of the call that failed last."""
    scheduler: Scheduler = field(default_factory=Scheduler)
    cancelling: list[int] | None = None
    """What the script gets for a request to cancel, once the cancelled calls could end: the keys of parked tasks."""
    sleeps_until: float | None = None
    """On the scheduler's clock, for a `time.sleep`."""
    changes_file: bool = False
    """Whether the script waits for leave to change a file."""
    before: Seen | None = None
    """What was there before that change."""
    recording: Recording | None = None
    """How it came here. Only a script that waits is saved with it: with each call, n calls would write n²."""

    @classmethod
    def recording_in(cls, data: bytes) -> Recording:
        """How the script came here, whichever version saved it. Raises `StateError`."""
        try:
            facts, _ = cls._parts(data)
            found = facts.get('recording') or {'incomplete': NOT_WAITING}
            return _RECORDING.validate_python(found)
        except _DAMAGED as error:
            raise StateError('the recording of a suspended snippet is damaged') from error

    def _packed(self, content: bytes) -> bytes:
        return lzma.compress(content, check=lzma.CHECK_CRC32, filters=_FAST)

    @staticmethod
    def _unpacked(data: bytes) -> bytes:
        return lzma.decompress(data)


@dataclass
class SessionState(_Saved):
    """All that a fresh session needs to resume after the last script of another one."""

    MAGIC: ClassVar[bytes] = b'toolscript session\x02'
    WHAT: ClassVar[str] = 'the variables of a session'
    READERS: ClassVar[str] = WRITER

    memory: Memory
    recording: Recording | None = None
    """How the variables came about, if that is known."""


def can_be_loaded(state: bytes) -> bool:
    """Whether this version saved the session."""
    try:
        SessionState.from_bytes(state)
    except StateError:
        return False
    return True


def calls_made(state: bytes) -> int:
    """How many calls the suspended snippet had made. Raises `StateError` for anything that is no state."""
    return State.from_bytes(state).calls


_LENGTH = struct.Struct('>I')
_DAMAGED = (zlib.error, lzma.LZMAError, struct.error, EOFError, ValueError, KeyError, TypeError, ValidationError)
_FAST = [{'id': lzma.FILTER_LZMA2, 'preset': 0, 'mf': lzma.MF_HC4, 'nice_len': 273, 'depth': 8, 'pb': 0}]
"""A script is saved often: 130 kB take 3 ms, and become 60% of what zlib makes of them."""


def _adapter(kind: type[S]) -> TypeAdapter[S]:
    if kind not in _ADAPTERS:
        # To make one takes some milliseconds.
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


_RECORDING = TypeAdapter(Recording)
NOT_WAITING = 'the process ended while the script ran'
"""Why there is no recording."""
_ADAPTERS = dict[type[Any], TypeAdapter[Any]]()
