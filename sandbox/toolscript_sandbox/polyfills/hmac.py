"""Keyed hashes."""

import hashlib


class _Hash:
    def __init__(self, key, msg, name):
        self._key, self._msg, self.name = key, msg or b'', name

    def update(self, msg):
        self._msg += msg

    def digest(self):
        size = 128 if self.name in ('sha384', 'sha512') else 64
        key = _hashed(self.name, self._key).digest() if len(self._key) > size else self._key
        padded = list(key) + [0] * (size - len(key))
        inner = _hashed(self.name, _mixed(padded, 0x36) + self._msg).digest()
        return _hashed(self.name, _mixed(padded, 0x5C) + inner).digest()

    def hexdigest(self):
        return self.digest().hex()


def _hashed(name, data):
    makers = {'md5': hashlib.md5, 'sha1': hashlib.sha1, 'sha256': hashlib.sha256, 'sha384': hashlib.sha384}
    return makers.get(name, hashlib.sha512)(data)


def _mixed(key, mask):
    return bytes.fromhex(''.join([f'{byte ^ mask:02x}' for byte in key]))


def new(key, msg=None, digestmod=''):
    return _Hash(key, msg, digestmod if isinstance(digestmod, str) else digestmod(b'').name)


def digest(key, msg, digest):
    return new(key, msg, digest).digest()


def compare_digest(a, b):
    return a == b
