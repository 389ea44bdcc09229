"""How much of each text a reader is shown."""

from dataclasses import dataclass

from .transcript import Excerpt


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """How much is shown. What is left out is told by its size."""

    chars: int = 10_000
    """Of one text."""
    all_chars: int = 2_000_000
    """Of all texts together: each request has its share of what those before it left."""
    calls: int = 200
    """Of one script."""
    parts: int = 200
    """Of one message."""
    requests: int = 400
    """The first quarter of them from the start of the history, the others from its end."""


@dataclass
class Room:
    """How many characters may still be kept."""

    left: int
    bounds: Bounds

    def excerpt(self, text: str, most: int | None = None) -> Excerpt:
        """As much of the text as may be kept."""
        kept = text[: max(0, min(self.bounds.chars if most is None else most, self.left))]
        self.left -= len(kept)
        return Excerpt(kept, len(text))
