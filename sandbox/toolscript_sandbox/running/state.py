"""The bytes of a suspended snippet, and of a session between two snippets."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from toolscript_sandbox.contract.calls import Call
from toolscript_sandbox.contract.errors import StateError

_MAGIC = b'toolscript\x01'
_LENGTH = struct.Struct('>I')
_SESSION_MAGIC = b'toolscript session\x01'
_PAGE_MAGIC = b'toolscript calls\x01'


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        # A source tree on the path.
        return 'of unknown version'


MONTY = f'pydantic-monty {_version("pydantic-monty")}'
"""What dumps, and loads nothing but what it dumped itself."""
WRITER = f'toolscript {_version("toolscript")} with {MONTY}'
"""What another version writes may mean something else."""
_FACTS = ('snippet', 'memory', 'printed', 'slept', 'ready')
_PAGED, _AFTER_PAGES = 'paged', 'calls_after_pages'


@dataclass(frozen=True)
class State:
    """All that a fresh session needs to go on."""

    facts: dict[str, Any]
    """JSON-able."""
    dump: bytes
    """Monty's part."""

    def to_bytes(self) -> bytes:
        """A magic, the length of the facts, the facts as JSON, the dump."""
        return _packed(_MAGIC, {**self.facts, 'dumped_by': MONTY}, self.dump)

    @classmethod
    def from_bytes(cls, data: bytes) -> State:
        """The state again.

        Raises:
            StateError: It is not what `to_bytes` writes, or another version of Monty dumped it.
        """
        facts, dump = _unpacked(_MAGIC, data, 'the state of a suspended snippet')
        # Version 0.1.0 did not say.
        if (dumped_by := facts.get('dumped_by', MONTY)) != MONTY:
            raise StateError(f'{dumped_by} dumped it, and this is {MONTY}')
        return cls(_facts(facts), dump)


@dataclass(frozen=True)
class SessionState:
    """All that a fresh session needs to go on after the last snippet of another one."""

    memory: dict[str, Any]
    """What it knows of its snippets, JSON-able."""
    dump: bytes
    """Monty's part."""

    def to_bytes(self) -> bytes:
        """As a suspended snippet's, with who wrote it."""
        return _packed(_SESSION_MAGIC, {'memory': self.memory, 'written_by': WRITER}, self.dump)

    @classmethod
    def from_bytes(cls, data: bytes) -> SessionState:
        """The state again. Raises `StateError` for anything that this version of `to_bytes` did not write."""
        facts, dump = _unpacked(_SESSION_MAGIC, data, 'the variables of a session')
        writer = facts.get('written_by')
        if writer != WRITER:
            raise StateError(f'the variables were kept by {writer}, and this is {WRITER}')
        return cls(facts['memory'], dump)


def can_be_loaded(state: bytes) -> bool:
    """Whether this version kept the session."""
    try:
        SessionState.from_bytes(state)
    except StateError:
        return False
    return True


def calls_made(state: bytes) -> int:
    """How many calls the suspended snippet had made. Raises `StateError` for anything that is no state."""
    facts = State.from_bytes(state).facts
    return facts['paged'] + len(facts['calls'])


def calls_to_facts(calls: list[dict[str, Any]], paged: int) -> dict[str, Any]:
    """What a state says of the calls that stand in no page, after so many that do.

    Versions that know of no pages find no calls in a state that has some, and refuse it.
    """
    return {_PAGED: paged, _AFTER_PAGES: calls} if paged else {'calls': calls}


def page_to_bytes(calls: list[dict[str, Any]]) -> bytes:
    """A page of calls that are over."""
    return _PAGE_MAGIC + json.dumps(calls).encode()


def calls_of_pages(pages: Iterable[bytes], paged: int) -> list[dict[str, Any]]:
    """The calls of all pages of a state. Raises `StateError` where that are not the first `paged` ones."""
    try:
        calls = [call for page in pages for call in json.loads(page.removeprefix(_PAGE_MAGIC))]
        numbers = [call['call']['id'] for call in calls]
    except (ValueError, TypeError, KeyError) as error:
        raise StateError('a page of calls is damaged') from error
    if numbers != list(range(1, paged + 1)):
        raise StateError(f'the pages with its first {paged} calls are not there')
    return calls


def _facts(data: dict[str, Any]) -> dict[str, Any]:
    try:
        paged = data.get(_PAGED, 0)
        calls = data[_AFTER_PAGES if paged else 'calls']
        later = {'before': data.get('before'), 'ran': data.get('ran', '')}
        return {name: data[name] for name in _FACTS} | {'calls': calls, 'paged': paged} | later
    except KeyError as error:
        raise StateError('the state of the suspended snippet is damaged') from error


def _packed(magic: bytes, facts: dict[str, Any], dump: bytes) -> bytes:
    text = json.dumps(facts).encode()
    return b''.join([magic, _LENGTH.pack(len(text)), text, dump])


def _unpacked(magic: bytes, data: bytes, what: str) -> tuple[dict[str, Any], bytes]:
    head = len(magic) + _LENGTH.size
    if not data.startswith(magic) or len(data) < head:
        raise StateError(f'these bytes are not {what}')
    end = head + _LENGTH.unpack(data[len(magic) : head])[0]
    try:
        facts = _object(json.loads(data[head:end]))
    except (ValueError, TypeError) as error:
        raise StateError(f'{what} is damaged') from error
    return facts, data[end:]


def _object(value: Any) -> dict[str, Any]:
    return {**value}


def call_to_json(call: Call) -> dict[str, Any]:
    """A call as JSON."""
    return {'id': call.id, 'function': call.function, 'args': list(call.args), 'kwargs': call.kwargs}


def call_from_json(data: dict[str, Any]) -> Call:
    """The call again."""
    return Call(id=data['id'], function=data['function'], args=tuple(data['args']), kwargs=data['kwargs'])
