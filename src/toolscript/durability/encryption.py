"""Signed and encrypted in one step: AES-256-GCM, by the package `cryptography`.

The key is derived from the secret with HKDF-SHA256, so that a secret may be any text. Each sealed text names its key
by an id, so that with several keys only one is tried. What the text is for is authenticated with it, and not in it.
The nonce is random: after some billions of texts under one key, take another one. What is encrypted was compressed
before, so its length says something of the content.
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


LEAST_BYTES = 8
"""Secrets that are shorter can be guessed."""

_ID = re.compile(r'[A-Za-z0-9_-]{1,100}')


@dataclass(frozen=True)
class EncryptionKey:
    """A secret of a key service, and what texts name it by."""

    id: str
    """Letters, digits, `_` and `-`. Each text that is sealed with the secret names it, readable by everybody."""
    secret: str | bytes = field(repr=False)
    """Of 8 bytes at least and better 32."""

    def __post_init__(self) -> None:
        """Refuse ids that cannot be part of a text, and secrets that can be guessed."""
        if not _ID.fullmatch(self.id):
            raise UserError(f'EncryptionKey(id={self.id!r}): use 1 to 100 letters, digits, underscores and hyphens.')
        if len(self.secret) < LEAST_BYTES:
            raise UserError(f'The secret of EncryptionKey {self.id} has fewer than {LEAST_BYTES} bytes; use more.')


KeyService: TypeAlias = Callable[[str | None], EncryptionKey]
"""Gives the key with an id, or, asked for `None`, the one to seal with now. Raises `KeyError` for what is no id."""


@dataclass(frozen=True)
class Cipher:
    """One secret's encryption."""

    secret: bytes = field(repr=False)
    name: str = ''
    """What a key service calls it."""

    def seal(self, purpose: str, body: bytes) -> str:
        """The body as text that only this secret opens, and only for the same purpose."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        sealed = self._aead.encrypt(nonce, body, _about(self.key_id, purpose))
        return f'{PREFIX}{self.key_id}.{to_text(nonce + sealed)}'

    def open(self, purpose: str, text: str) -> bytes | None:
        """The body of a text; `None` if it was changed, or sealed with another secret or for another purpose."""
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
        """What texts name the key by; it says nothing about it."""
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


def id_in(text: str) -> str:
    """What an encrypted text names its key by."""
    return text.removeprefix(PREFIX).partition('.')[0]


def to_text(data: bytes) -> str:
    """The data as ASCII."""
    return base64.urlsafe_b64encode(data).decode()


def from_text(text: str) -> bytes:
    """The data again. Raises `ValueError` for what `to_text` does not write, other spellings of it among them."""
    data = base64.b64decode(text, altchars=b'-_', validate=True)
    if to_text(data) != text:
        raise ValueError(text)
    return data


def see_that_it_can(why: str) -> None:
    """See that encryption is installed.

    Raises:
        UserError: It is not.
    """
    if find_spec('cryptography') is None:
        raise UserError(f"{why} needs the package cryptography: pip install 'toolscript[encryption]'.")


def _about(key_id: str, purpose: str) -> bytes:
    return f'{PREFIX}{key_id}.{purpose}'.encode()
