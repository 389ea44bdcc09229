"""The vectors of texts, each computed once: in memory, and in a file if there is one."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

import numpy as np
from numpy.typing import NDArray

BATCH = 256
"""So many texts are embedded by one request."""
_MAX_VECTORS = 200_000

Matrix = NDArray[np.float32]


class Vectors:
    """Vectors by what they were made of.

    The file holds digests and numbers and no text. It is written anew when vectors are added, as a whole and at once,
    so that several processes may share it: the last one to write wins, and what it did not know is computed again.
    """

    def __init__(self, model: str, cache: Path | None) -> None:
        self._model = model
        self._cache = cache
        self._known: dict[bytes, Matrix] | None = None

    async def of(self, texts: Sequence[str], embed: Callable[[Sequence[str]], Awaitable[Matrix]]) -> Matrix:
        """One row for each text; `embed` is asked for those that are new, some hundred at a time."""
        known = self._known_by_now()
        keys = [self._key(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if len(known) + len(missing) > _MAX_VECTORS:
            known, missing = {}, dict(zip(keys, texts, strict=True))
        self._known = known
        if missing:
            try:
                await _add(known, list(missing.items()), embed)
            finally:
                # Vectors that were paid for are saved, even if a later request failed.
                self._write(known)
        return np.stack([known[key] for key in keys])

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Those of `texts` whose vectors are not known, once each."""
        known = self._known_by_now()
        return [text for text in dict.fromkeys(texts) if self._key(text) not in known]

    def _known_by_now(self) -> dict[bytes, Matrix]:
        if self._known is None:
            self._known = self._read()
        return self._known

    def _key(self, text: str) -> bytes:
        return sha256(f'{self._model}\0{text}'.encode('utf-8', 'surrogatepass')).digest()

    def _read(self) -> dict[bytes, Matrix]:
        if self._cache is None or not self._cache.exists():
            return {}
        try:
            with np.load(self._cache, allow_pickle=False) as saved:
                keys, rows = saved['keys'], saved['rows'].astype(np.float32)
        except (OSError, ValueError, KeyError, EOFError):
            # It is a cache: unreadable vectors are computed again.
            return {}
        return dict(zip(map(bytes, keys), rows, strict=False))

    def _write(self, known: dict[bytes, Matrix]) -> None:
        if self._cache is None or not known:
            return
        width = max(map(len, known.values()))
        rows = {key: row for key, row in known.items() if len(row) == width}
        self._cache.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=self._cache.parent, suffix='.npz', delete=False) as file:
            np.savez(file, keys=_digests(rows), rows=np.stack(list(rows.values())))
        os.replace(file.name, self._cache)


async def _add(
    known: dict[bytes, Matrix], new: list[tuple[bytes, str]], embed: Callable[[Sequence[str]], Awaitable[Matrix]]
) -> None:
    for start in range(0, len(new), BATCH):
        batch = new[start : start + BATCH]
        rows = await embed([text for _, text in batch])
        known.update(zip((key for key, _ in batch), rows, strict=True))


def _digests(keys: Iterable[bytes]) -> NDArray[np.uint8]:
    return np.frombuffer(b''.join(keys), dtype=np.uint8).reshape(-1, sha256().digest_size)
