"""Calls of a script that are over, in pages that are written once.

A script is saved before each of its calls. With all earlier calls in each state, a script of n calls would write n² of
them. So a state holds the last ones, and the number of pages with the others. Each page is in the store before the
first state that counts it. A script that waits is saved whole: what resumes days later needs nothing beside it.
"""

from dataclasses import dataclass

from toolscript.results.values import Returned
from toolscript.stored_json import KeptJson
from toolscript_sandbox import CallRecord

from .remembered import Remembered


@dataclass(frozen=True)
class Page:
    """What is known of some calls that ended."""

    calls: tuple[CallRecord, ...]
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


MOST_LOOSE = 32
"""Calls that a state holds before they go into a page."""
_json = KeptJson(Page)
