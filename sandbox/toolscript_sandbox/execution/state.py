"""The states of a script between two steps and of a session between two scripts, as bytes."""

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
from toolscript_sandbox.contract.limits import Exceeded
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
        # It is imported from a source tree.
        return 'of unknown version'


MONTY = f'pydantic-monty {_version("pydantic-monty")}'
"""The name and version of Monty, which loads only dumps of the same version."""
WRITER = f'toolscript {_version("toolscript")} with {MONTY}'


OpenStatus: TypeAlias = Literal['not asked', 'asked', 'waiting', 'answered']


@dataclass
class OpenCall:
    """A call that the script has made and whose answer it has not received."""

    call: Call
    status: OpenStatus = 'not asked'
    """`asked`: the caller has the call. `waiting`: its result will come from outside."""
    answer: Returned | Raised | None = None
    """The answer, once the status is `answered`."""


T = TypeVar('T')


def adapter(kind: type[T]) -> TypeAdapter[T]:
    """Return the converter of a type to JSON and back. Creating one takes a few milliseconds."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


_ADAPTERS = dict[type[Any], TypeAdapter[Any]]()


@dataclass
class _Saved:
    """Data that is saved as JSON, followed by a Monty dump."""

    dump: bytes = field(default=b'', kw_only=True)

    MAGIC: ClassVar[bytes]
    WHAT: ClassVar[str]
    READERS: ClassVar[str]
    """The versions that can read it: others may interpret the same bytes differently."""

    def to_bytes(self) -> bytes:
        """Return magic bytes, the length of the JSON, and JSON and dump, compressed."""
        facts = adapter(type(self)).dump_python(
            self, exclude={'dump': True, 'scheduler': {'keys'}}, exclude_defaults=True
        )
        text = json.dumps({**facts, 'written_by': self.READERS}, default=list).encode()
        return self.MAGIC + self._packed(b''.join([_LENGTH.pack(len(text)), text, self.dump]))

    @classmethod
    def from_bytes(cls: 'type[S]', data: bytes) -> 'S':
        """Restore the data. Raises `StateError` unless this version wrote the bytes."""
        try:
            facts, dump = cls._parts(data)
            if (writer := facts['written_by']) != cls.READERS:
                raise OtherVersion(f'{writer} wrote {cls.WHAT}, and this is {cls.READERS}')
            saved = adapter(cls).validate_python(facts)
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
        # Level 0 adds a checksum without compression: a session may be large, and its size is limited.
        return zlib.compress(content, 0)

    @staticmethod
    def _unpacked(data: bytes) -> bytes:
        return zlib.decompress(data)


S = TypeVar('S', bound=_Saved)


@dataclass
class State(_Saved):
    """Everything about a running script except its worker. The executor changes it, and it is saved as it is."""

    MAGIC: ClassVar[bytes] = b'toolscript script\x03'
    WHAT: ClassVar[str] = 'the state of a suspended script'
    READERS: ClassVar[str] = MONTY

    snippet: Snippet
    memory: Memory
    """The memory of the session after the script has run to its end."""
    known: frozenset[str] = frozenset()
    """Variables that the script found."""
    stdout: str = ''
    """The output before the script was restored."""
    reported: int = 0
    """The number of characters of output that the caller has received."""
    exceeded: Exceeded | None = None
    """The limit that stopped the script, which may still clean up."""
    stops: int = 0
    """How often a limit has stopped it."""
    slept: float = 0.0
    """The seconds that the script has slept."""
    seconds: float = 0.0
    """The seconds that the script took on the host. Monty stops a script that computes too long, but not one that makes
    the host do many small things. The caller's work between two steps does not count."""
    calls: int = 0
    """The number of calls that the script has made."""
    open: dict[int, OpenCall] = field(default_factory=dict[int, OpenCall])
    """The open calls by Monty's numbers."""
    unasked: list[CallRecord] = field(default_factory=list[CallRecord])
    """Calls that the script cancelled before the caller received them."""
    last_failed: tuple[int | None, str] | None = None
    """The line and error of the call that failed last."""
    scheduler: Scheduler = field(default_factory=Scheduler)
    cancelling: list[int] | None = None
    """The pending answer to a request to cancel, sent once the cancelled calls could end: the keys of parked tasks."""
    sleeps_until: float | None = None
    """The end of a `time.sleep`, on the scheduler's clock."""
    changes_file: bool = False
    """Whether the script is about to change a file."""
    before: Seen | None = None
    """What existed before that change."""
    recording: Recording | None = None
    """The recording. Only a script that waits is saved with it: if saved with each call, n calls would write n²."""

    @classmethod
    def recording_in(cls, data: bytes) -> Recording:
        """Return the recording in a state that any version saved. Raises `StateError`."""
        try:
            facts, _ = cls._parts(data)
            found = facts.get('recording') or {'incomplete': NOT_WAITING}
            return adapter(Recording).validate_python(found)
        except _DAMAGED as error:
            raise StateError('the recording of a suspended script is damaged') from error

    def _packed(self, content: bytes) -> bytes:
        return lzma.compress(content, check=lzma.CHECK_CRC32, filters=_FAST)

    @staticmethod
    def _unpacked(data: bytes) -> bytes:
        return lzma.decompress(data)


@dataclass
class SessionState(_Saved):
    """The data with which a new session resumes after the last script of another one."""

    MAGIC: ClassVar[bytes] = b'toolscript session\x03'
    WHAT: ClassVar[str] = 'the variables of a session'
    READERS: ClassVar[str] = WRITER

    memory: Memory
    recording: Recording | None = None
    """The recording of the scripts that created the variables, if available."""


def can_be_loaded(state: bytes) -> bool:
    """Return whether this version saved the session."""
    try:
        SessionState.from_bytes(state)
    except StateError:
        return False
    return True


def calls_made(state: bytes) -> int:
    """Return how many calls the suspended script had made. Raises `StateError` for bytes that are not a state."""
    return State.from_bytes(state).calls


_LENGTH = struct.Struct('>I')
_DAMAGED = (zlib.error, lzma.LZMAError, struct.error, EOFError, ValueError, KeyError, TypeError, ValidationError)
_FAST = [{'id': lzma.FILTER_LZMA2, 'preset': 0, 'mf': lzma.MF_HC4, 'nice_len': 273, 'depth': 8, 'pb': 0}]
"""Fast settings, because scripts are saved often: 130 kB take 3 ms, and shrink to 60% of the size with zlib."""


NOT_WAITING = 'the process ended while the script ran'
"""The reason for a missing recording."""
