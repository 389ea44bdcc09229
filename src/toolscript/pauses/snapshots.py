"""Signed bytes that may leave the process and come back."""

import base64
import binascii
import hashlib
import hmac
import os
import secrets
import struct
import time
import warnings
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from pydantic_ai import UserError

from .stores import SnapshotStore

KEY_VARIABLE = 'TOOLSCRIPT_SNAPSHOT_KEY'

_VERSION = b'toolscript 1 '
_EXPIRY = struct.Struct('>d')
_SIGNATURE_BYTES = hashlib.sha256().digest_size


class SnapshotExpired(UserError):
    """A snapshot is older than scripts may wait."""


class SnapshotKeyWarning(UserWarning):
    """Snapshots are signed with a key that nobody else has."""


@dataclass(frozen=True)
class Snapshots:
    """How the state of paused scripts is signed, how long it lives, and where it is kept.

    Whoever holds the key can write snapshots, which is to decide what a script goes on with; whoever holds a snapshot
    can read it. Both stay on the server's side.
    """

    key: str | bytes | None = field(default=None, repr=False)
    """The secret to sign with. By default the environment's `TOOLSCRIPT_SNAPSHOT_KEY`; without one, a key that only
    this process has, and a warning."""
    old_keys: Sequence[str | bytes] = field(default=(), repr=False)
    """Secrets that were the key until lately: what they signed is still opened."""
    store: SnapshotStore | None = None
    """Where state is kept. By default it travels in the requests, and nothing survives the death of the process while
    a script runs."""
    expires_after: timedelta = timedelta(days=7)
    """How long a paused script can be resumed."""

    def seal(self, purpose: str, content: bytes) -> str:
        """The content as signed text.

        Args:
            purpose: What it is for; only the same purpose opens it.
            content: Any bytes. They are compressed, not encrypted.
        """
        expiry = _EXPIRY.pack(time.time() + self.expires_after.total_seconds())
        body = expiry + zlib.compress(content, level=1)
        return base64.urlsafe_b64encode(_signature(self._key(), purpose, body) + body).decode()

    def open(self, purpose: str, text: str) -> bytes:
        """The content of signed text.

        Raises:
            UserError: The text was changed, signed with another key or for another purpose, or has expired.
        """
        try:
            data = base64.urlsafe_b64decode(text)
        except (binascii.Error, ValueError):
            data = b''
        signature, body = data[:_SIGNATURE_BYTES], data[_SIGNATURE_BYTES:]
        if not any(hmac.compare_digest(signature, signed) for signed in self._signatures(purpose, body)):
            raise UserError(
                'The snapshot of a paused script is not the one that was handed out: it was changed, belongs to '
                f'another call or conversation, or was signed with another key. Every process needs the same '
                f'{KEY_VARIABLE}, and a history that lost its conversation_id needs it given to the run. Nothing was '
                'run.'
            )
        if time.time() > _EXPIRY.unpack_from(body)[0]:
            raise SnapshotExpired(
                f'The snapshot of a paused script has expired (expires_after={self.expires_after}), so nothing was '
                'run. Deny the run_code call as a whole, and the model can start again: '
                'DeferredToolResults(approvals={run_code_id: False}).'
            )
        return zlib.decompress(body[_EXPIRY.size :])

    def _signatures(self, purpose: str, body: bytes) -> Iterator[bytes]:
        for key in (self._key(), *map(_as_bytes, self.old_keys)):
            yield _signature(key, purpose, body)

    def _key(self) -> bytes:
        return _as_bytes(self.key or os.environ.get(KEY_VARIABLE) or _key_of_this_process())


def _signature(key: bytes, purpose: str, body: bytes) -> bytes:
    return hmac.digest(key, _VERSION + purpose.encode() + b'\0' + body, 'sha256')


def _as_bytes(key: str | bytes) -> bytes:
    return key.encode() if isinstance(key, str) else key


_generated = list[bytes]()


def _key_of_this_process() -> bytes:
    if not _generated:
        _generated.append(secrets.token_bytes(32))
        warnings.warn(
            'Paused scripts are signed with a key that only this process has, so no other one can resume them, nor '
            f'this one after a restart. Set {KEY_VARIABLE}, or pass Snapshots(key=...).',
            SnapshotKeyWarning,
            stacklevel=2,
        )
    return _generated[0]
