"""Keyed hashes, by CPython's own function on the host."""


class HMAC:
    def __init__(self, key, msg=None, digestmod=''):
        if not digestmod:
            raise TypeError("Missing required parameter 'digestmod'.")
        self._digest = digestmod if isinstance(digestmod, str) else digestmod(b'').name
        self._key, self._msg = key, msg or b''
        self.name = f'hmac-{self._digest}'
        self.digest_size = len(self.digest())

    def update(self, msg): self._msg += msg
    def copy(self): return HMAC(self._key, self._msg, self._digest)
    def digest(self): return _host__('hmac.digest', self._key, self._msg, self._digest)
    def hexdigest(self): return self.digest().hex()


def new(key, msg=None, digestmod=''): return HMAC(key, msg, digestmod)
