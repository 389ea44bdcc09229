"""A store that lives as long as the process."""

from dataclasses import dataclass, field


@dataclass
class MemoryStore:
    """Keeps the state of scripts out of the requests, for applications that pause and go on in one process."""

    texts: dict[str, str] = field(default_factory=dict[str, str], repr=False)

    async def save(self, key: str, text: str, /) -> None:
        """Keep a text."""
        self.texts[key] = text

    async def load(self, key: str, /) -> str | None:
        """The text of a key."""
        return self.texts.get(key)
