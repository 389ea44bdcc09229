"""Authenticated encryption of texts with AES-256-GCM, using the package `cryptography`.

The key is derived from the secret with HKDF-SHA256, so a secret may be any text. Each sealed text contains the id of
its key, so that only one of several keys has to be tried. The purpose of a text is authenticated but not included. The
nonce is random: after a few billion texts, use a new key. Texts are compressed before encryption, so their length
reveals something about the content.
"""

import base64
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeAlias

from pydantic_ai import UserError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM


PREFIX = 'encrypted.'

_INFO = b'toolscript encryption 1'
_NONCE_BYTES = 12


MIN_BYTES = 8
"""The minimum length of secrets, in bytes, because shorter ones can be guessed."""

_ID = re.compile(r'[A-Za-z0-9_-]{1,100}')


@dataclass(frozen=True)
class EncryptionKey:
    """A secret of a key service, and its id in texts."""

    id: str
    """Letters, digits, `_` and `-`. Each text that is sealed with the secret contains the id in plain text."""
    secret: str | bytes = field(repr=False)
    """At least 8 bytes, preferably 32."""

    def __post_init__(self) -> None:
        """Reject ids that cannot be part of a text, and secrets that can be guessed."""
        if not _ID.fullmatch(self.id):
            raise UserError(f'EncryptionKey(id={self.id!r}): use 1 to 100 letters, digits, underscores and hyphens.')
        if len(self.secret) < MIN_BYTES:
            raise UserError(f'The secret of EncryptionKey {self.id} has fewer than {MIN_BYTES} bytes; use more.')


KeyService: TypeAlias = Callable[[str | None], EncryptionKey]
"""Return the key with an id, or, for `None`, the current key for sealing. Raises `KeyError` for unknown ids."""


@dataclass(frozen=True)
class Cipher:
    secret: bytes = field(repr=False)
    name: str = ''
    """The id that a key service gave the secret."""

    def seal(self, purpose: str, body: bytes) -> str:
        """Return the body as text that can be opened only with this secret and for the same purpose."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        sealed = self._aead.encrypt(nonce, body, _about(self.key_id, purpose))
        return f'{PREFIX}{self.key_id}.{to_text(nonce + sealed)}'

    def open(self, purpose: str, text: str) -> bytes | None:
        """Return the body of a text; `None` if it was changed, or sealed with another secret or for another purpose."""
        from cryptography.exceptions import InvalidTag

        key_id, _, sealed = text.removeprefix(PREFIX).partition('.')
        if key_id != self.key_id:
            return None
        try:
            data = from_text(sealed)
            return self._aead.decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], _about(key_id, purpose))
        except (ValueError, InvalidTag):
            return None

    @cached_property
    def key_id(self) -> str:
        """The id of the key in texts, which reveals nothing about the key."""
        return self.name or self._derived[32:].hex()

    @cached_property
    def _derived(self) -> bytes:
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        return HKDF(SHA256(), length=36, salt=None, info=_INFO).derive(self.secret)

    @cached_property
    def _aead(self) -> 'AESGCM':
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        return AESGCM(self._derived[:32])


def to_text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode()


def from_text(text: str) -> bytes:
    """Decode data. Raises `ValueError` for anything that `to_text` does not write, including equivalent encodings."""
    data = base64.b64decode(text, altchars=b'-_', validate=True)
    if to_text(data) != text:
        raise ValueError(text)
    return data


def check_installed(why: str) -> None:
    """Check that encryption is installed. Raises `UserError` if it is not installed."""
    if find_spec('cryptography') is None:
        raise UserError(f"{why} needs the package cryptography: pip install 'toolscript[encryption]'.")


def _about(key_id: str, purpose: str) -> bytes:
    return f'{PREFIX}{key_id}.{purpose}'.encode()
