"""The bytes of a suspended snippet."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Any

from toolscript_sandbox.contract.calls import Call
from toolscript_sandbox.contract.errors import StateError

_MAGIC = b'toolscript\x01'
_LENGTH = struct.Struct('>I')
_FACTS = ('snippet', 'memory', 'printed', 'slept', 'calls', 'ready')


@dataclass(frozen=True)
class State:
    """All that a fresh session needs to go on."""

    facts: dict[str, Any]
    """JSON-able."""
    dump: bytes
    """Monty's part."""

    def to_bytes(self) -> bytes:
        """A magic, the length of the facts, the facts as JSON, the dump."""
        facts = json.dumps(self.facts).encode()
        return b''.join([_MAGIC, _LENGTH.pack(len(facts)), facts, self.dump])

    @classmethod
    def from_bytes(cls, data: bytes) -> State:
        """The state again. Raises `StateError` for anything that `to_bytes` did not write."""
        head = len(_MAGIC) + _LENGTH.size
        if not data.startswith(_MAGIC) or len(data) < head:
            raise StateError('these bytes are not the state of a suspended snippet')
        end = head + _LENGTH.unpack(data[len(_MAGIC) : head])[0]
        try:
            facts = _facts(data[head:end])
        except (ValueError, KeyError, TypeError) as error:
            raise StateError('the state of the suspended snippet is damaged') from error
        return cls(facts, data[end:])


def calls_made(state: bytes) -> int:
    """How many calls the suspended snippet had made. Raises `StateError` for anything that is no state."""
    return len(State.from_bytes(state).facts['calls'])


def _facts(text: bytes) -> dict[str, Any]:
    data = json.loads(text)
    return {name: data[name] for name in _FACTS}


def call_to_json(call: Call) -> dict[str, Any]:
    """A call as JSON."""
    return {'id': call.id, 'function': call.function, 'args': list(call.args), 'kwargs': call.kwargs}


def call_from_json(data: dict[str, Any]) -> Call:
    """The call again."""
    return Call(id=data['id'], function=data['function'], args=tuple(data['args']), kwargs=data['kwargs'])
