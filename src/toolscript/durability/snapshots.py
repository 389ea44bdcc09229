"""Signed bytes that can leave the process and return."""

import hashlib
import hmac
import os
import secrets
import struct
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property, lru_cache
from itertools import chain

from pydantic_ai import UserError

from toolscript.checks import not_a_path
from toolscript.stores.store import SnapshotStore, TimestampingStore
from toolscript.workflows import now

from .encryption import MIN_BYTES, PREFIX, Cipher, KeyService, check_installed, from_text, to_text

KEY_VARIABLE = 'TOOLSCRIPT_SNAPSHOT_KEY'
ENCRYPTION_VARIABLE = 'TOOLSCRIPT_ENCRYPTION_KEY'

_VERSION = b'toolscript 1 '
_EXPIRY = struct.Struct('>d')
_SIGNATURE_BYTES = hashlib.sha256().digest_size


class SnapshotExpired(UserError):
    """A snapshot is older than `Snapshots.ttl`."""


class SnapshotInvalid(UserError):
    """A snapshot was changed, or the key or purpose is another one."""


class SnapshotKeyWarning(UserWarning):
    """Snapshots are signed with a key that exists only in this process."""


@dataclass(frozen=True)
class Snapshots:
    """How the state of paused scripts is signed, how long it is valid, and where it is stored.

    Anyone with the key can write snapshots, and so decide how a script resumes. Anyone with a snapshot can read it,
    unless there is an `encryption_key`. Keep both on the server."""

    key: str | bytes | None = field(default=None, repr=False)
    """The secret for signatures: 32 bytes, at least 8. The default is the environment variable
    `TOOLSCRIPT_SNAPSHOT_KEY`; without it, this process creates a key and warns."""
    old_keys: Sequence[str | bytes] = field(default=(), repr=False)
    """Former values of the key or the encryption key: what they signed or encrypted can still be read."""
    store: SnapshotStore | None = None
    """The store of the state. By default, the state travels in the requests, and nothing survives if the process dies
    while a script runs."""
    ttl: timedelta = timedelta(days=7)
    """How long a paused script can be resumed."""
    encryption_key: str | bytes | None = field(default=None, repr=False)
    """With a key, all state is encrypted and authenticated. The default is the environment variable
    `TOOLSCRIPT_ENCRYPTION_KEY`; without it, nothing is encrypted. State that was only signed can still be opened. Needs
    `pip install 'toolscript[encryption]'`."""

    key_service: KeyService | None = field(default=None, repr=False)
    """A function that returns encryption keys. It replaces `encryption_key`, which still reads what it encrypted. For
    `None` it returns the current key, for a key id that key. It is called for each text, on the event loop, so it
    should cache."""

    def __post_init__(self) -> None:
        """Reject secrets that anyone can guess, and a path in place of a store."""
        not_a_path('Snapshots(store=...)', self.store)
        if isinstance(self.old_keys, str | bytes):
            raise UserError('Snapshots(old_keys=...) must be a list of secrets: old_keys=[...].')
        _secret('Snapshots(key=...)', self.key)
        _secret('Snapshots(encryption_key=...)', self.encryption_key)
        for key in self.old_keys:
            _secret('Each of Snapshots(old_keys=[...])', key)
        for name in ('encryption_key', 'key_service'):
            if getattr(self, name) is not None:
                check_installed(f'Snapshots({name}=...)')

    def now(self) -> float:
        """Return the time for expiry in seconds since the epoch, from the store if it has a clock, or this machine."""
        return now() if self._clocked is None else self._clocked.now()

    @cached_property
    def _clocked(self) -> TimestampingStore | None:
        return self.store if isinstance(self.store, TimestampingStore) else None

    @cached_property
    def lasting(self) -> 'Snapshots':
        """The same for texts that live as long as the state that they belong to, which checks its own expiry."""
        return replace(self, ttl=timedelta.max)

    def seal(self, purpose: str, content: bytes) -> str:
        """Return the content as text that only holders of the same secrets can write.

        Args:
            purpose: The purpose of the text; it can be opened only for the same purpose.
            content: Any bytes. They are compressed, and encrypted if there is an encryption key.
        """
        expiry = _EXPIRY.pack(self.now() + self.ttl.total_seconds())
        body = expiry + zlib.compress(content, level=1)
        cipher = self._cipher()
        if cipher is not None:
            return cipher.seal(purpose, body)
        return to_text(_signature(self._key(), purpose, body) + body)

    def open(self, purpose: str, text: str) -> bytes:
        """Return the content of sealed text.

        Raises:
            SnapshotInvalid: The text was changed, or sealed with another key or for another purpose.
            SnapshotExpired: It has expired.
        """
        body = self._decrypted(purpose, text) if text.startswith(PREFIX) else self._verified(purpose, text)
        if body is None:
            raise SnapshotInvalid(
                'The snapshot of a paused script is invalid: it was changed, belongs to another call or '
                'conversation, or was signed or encrypted with another key. Nothing was run. Every process needs the '
                f'same {KEY_VARIABLE} and encryption key, and former ones in Snapshots(old_keys=[...]). If the history '
                'has lost its conversation_id, pass it to the run.'
            )
        if self.now() > _EXPIRY.unpack_from(body)[0]:
            raise SnapshotExpired(
                f'The snapshot of a paused script has expired (ttl={self.ttl}), so nothing was '
                'run. Deny the run_code call as a whole, and the model can start again: '
                'DeferredToolResults(approvals={run_code_id: False}).'
            )
        return zlib.decompress(body[_EXPIRY.size :])

    def _verified(self, purpose: str, text: str) -> bytes | None:
        try:
            data = from_text(text)
        except ValueError:
            return None
        signature, body = data[:_SIGNATURE_BYTES], data[_SIGNATURE_BYTES:]
        signed = any(hmac.compare_digest(signature, _signature(key, purpose, body)) for key in self._keys())
        return body if signed else None

    def _decrypted(self, purpose: str, text: str) -> bytes | None:
        check_installed('What is encrypted')
        secret = self._encryption_secret()
        secrets = [*([] if secret is None else [secret]), *map(_as_bytes, self.old_keys)]
        ciphers = chain(map(_cipher_of, secrets), self._of_service(text.removeprefix(PREFIX).partition('.')[0]))
        bodies = (cipher.open(purpose, text) for cipher in ciphers)
        return next((body for body in bodies if body is not None), None)

    def _of_service(self, key_id: str | None) -> Iterator[Cipher]:
        """Yield the service's cipher with the id, if the service knows it."""
        if self.key_service is None:
            return
        with suppress(KeyError):
            key = self.key_service(key_id)
            if key_id not in (None, key.id):
                raise UserError(f'The key service returned key {key.id} instead of {key_id}.')
            yield _cipher_of(_as_bytes(key.secret), key.id)

    def _keys(self) -> Iterator[bytes]:
        yield self._key()
        yield from map(_as_bytes, self.old_keys)

    def _key(self) -> bytes:
        key = self.key or _secret(KEY_VARIABLE, os.environ.get(KEY_VARIABLE) or None)
        return _as_bytes(key or _key_of_this_process())

    def _cipher(self) -> Cipher | None:
        if self.key_service is not None:
            cipher = next(self._of_service(None), None)
            if cipher is None:
                raise UserError('The key service raised KeyError for None; it must return the current key for None.')
            return cipher
        secret = self._encryption_secret()
        return None if secret is None else _cipher_of(secret)

    def _encryption_secret(self) -> bytes | None:
        if self.encryption_key is not None:
            return _as_bytes(self.encryption_key)
        secret = _secret(ENCRYPTION_VARIABLE, os.environ.get(ENCRYPTION_VARIABLE) or None)
        if secret is None:
            return None
        check_installed(ENCRYPTION_VARIABLE)
        return _as_bytes(secret)


def _signature(key: bytes, purpose: str, body: bytes) -> bytes:
    return hmac.digest(key, _VERSION + purpose.encode() + b'\0' + body, 'sha256')


def _secret(whose: str, key: object) -> str | bytes | None:
    """Return the secret, if it is valid."""
    if key is None:
        return None
    if not isinstance(key, str | bytes):
        raise UserError(f'{whose} must be str or bytes, not {type(key).__name__}.')
    if len(_as_bytes(key)) < MIN_BYTES:
        raise UserError(
            f'{whose} is empty or too easy to guess. Make one of at least {MIN_BYTES} bytes, such as: python -c '
            '"import secrets; print(secrets.token_urlsafe(32))".'
        )
    return key


def _as_bytes(key: str | bytes) -> bytes:
    return key.encode() if isinstance(key, str) else key


@lru_cache(maxsize=32)
def _cipher_of(secret: bytes, name: str = '') -> Cipher:
    return Cipher(secret, name)


_generated = list[bytes]()


def _key_of_this_process() -> bytes:
    if not _generated:
        _generated.append(secrets.token_bytes(32))
        warnings.warn(
            'Paused scripts and stored variables are signed with a key that only this process has. Other processes '
            f'cannot read them, nor can this one after a restart. Set {KEY_VARIABLE}, or pass Snapshots(key=...).',
            SnapshotKeyWarning,
            stacklevel=2,
        )
    return _generated[0]
