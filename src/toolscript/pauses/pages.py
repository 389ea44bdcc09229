"""Calls of a script that are over, in pages that are written once.

Before each call it is kept how far the script is. With all earlier calls in it, a script of n calls would write n² of
them; so a state holds the last ones, and says how many pages there are of the others. Each page is in the store before
the first state that counts it. A script that waits is kept whole: what goes on days later needs nothing beside it.
"""

from dataclasses import dataclass

from toolscript.results.kept_json import KeptJson
from toolscript.results.returned import Returned

from .remembered import Remembered


@dataclass(frozen=True)
class Page:
    """What is known of some calls, the next ones after those of the page before."""

    calls: bytes
    """The sandbox's part."""
    finished: dict[int, Remembered]
    """Those that must not run twice, by their numbers."""
    returned: dict[int, Returned]
    """What they gave beside their values."""

    def to_bytes(self) -> bytes:
        """As JSON."""
        return _json.dump(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> 'Page':
        """The page again. Raises `ValidationError` where another version wrote it."""
        return _json.load(data)


_json = KeptJson(Page)
