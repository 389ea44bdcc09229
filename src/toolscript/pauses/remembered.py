"""What ran in snippets that failed, so that the next one need not do it again."""

from collections.abc import Iterator
from dataclasses import field
from itertools import chain
from typing import Any

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass
from pydantic_ai.messages import MultiModalContent

from toolscript.results.returned import JSON, Returned


@dataclass(frozen=True, config=JSON)
class Result:
    """How a call ended that ended well."""

    value: Any
    """As the script got it."""
    returned: Returned | None = None
    files: dict[str, MultiModalContent] = field(default_factory=dict[str, MultiModalContent])
    """The files behind the handles in the value."""


@dataclass(frozen=True, config=JSON)
class Remembered:
    """A call that finished, or that was running when its snippet ended."""

    tool_name: str
    digest: str
    """Of the tool's name and the arguments: calls with the same digest are identical."""
    result: Result | None = None
    """`None`: nobody knows whether it happened."""


@dataclass(config=JSON)
class Memory:
    """The calls of the snippet that runs, and of those that failed before it."""

    earlier: dict[str, list[Remembered]] = field(default_factory=dict[str, list[Remembered]])
    """By digest, in the order of the calls: the k-th identical call of the next snippet gets the k-th result."""
    finished: dict[int, Remembered] = field(default_factory=dict[int, Remembered])
    """The running snippet's, by the number of the call."""
    running: dict[int, Remembered] = field(default_factory=dict[int, Remembered])
    told: set[str] = field(default_factory=set[str])
    """Digests of unknown outcomes that the running snippet met; from the next snippet on the model decides."""

    def recall(self, digest: str) -> Remembered | None:
        """What became of the next identical call; one with a result is handed out once."""
        queue = self.earlier.get(digest)
        if not queue:
            return None
        if queue[0].result is None:
            self.told.add(digest)
            return queue[0]
        return queue.pop(0)

    def start(self, number: int, call: Remembered) -> None:
        """Take note that a call starts."""
        self.running[number] = call

    def finish(self, number: int, call: Remembered) -> None:
        """Take note of how a call ended."""
        self.running.pop(number, None)
        self.finished[number] = call

    def drop(self, number: int) -> None:
        """Forget a call that started: it failed and said so, or it waits."""
        self.running.pop(number, None)

    def snippet_failed(self) -> None:
        """Keep the snippet's calls for the next one."""
        self._forget_told()
        new = dict[str, list[Remembered]]()
        for call in self._in_order():
            new.setdefault(call.digest, []).append(call)
        for digest, left in self.earlier.items():
            new.setdefault(digest, []).extend(left)
        self.earlier = new
        self._clear_snippet()

    def snippet_succeeded(self) -> None:
        """Forget everything, unless the snippet only looked around: then the real second try is still to come."""
        self._forget_told()
        if self.finished or self.running:
            self.earlier = {}
        self._clear_snippet()

    def all_earlier(self) -> list[Remembered]:
        """Every remembered call."""
        return list(chain.from_iterable(self.earlier.values()))

    def to_bytes(self) -> bytes:
        """As JSON."""
        return _memory.dump_json(self, fallback=str)

    @classmethod
    def from_bytes(cls, data: bytes) -> 'Memory':
        """The memory again."""
        return _memory.validate_json(data)

    def _in_order(self) -> Iterator[Remembered]:
        both = {**self.finished, **self.running}
        # A call that timed out and was then made again has a result.
        return (both[number] for number in sorted(both, key=lambda number: (both[number].result is None, number)))

    def _forget_told(self) -> None:
        for digest in self.told:
            self.earlier[digest] = [call for call in self.earlier.get(digest, []) if call.result is not None]

    def _clear_snippet(self) -> None:
        self.finished, self.running, self.told = {}, {}, set()


_memory = TypeAdapter(Memory)
