"""What ran in snippets that failed, so that the next one need not do it again."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Annotated, Any

from pydantic import Field
from pydantic_ai.messages import MultiModalContent

from toolscript.results.values import Returned
from toolscript.stored_json import KeptJson
from toolscript_sandbox import ToolError


@dataclass(frozen=True)
class Result:
    """How a call ended that ended well."""

    value: Any
    """As the script got it."""
    returned: Returned | None = None
    files: dict[str, MultiModalContent] = field(default_factory=dict[str, MultiModalContent])
    """The files behind the handles in the value."""
    too_large: str = ''
    """Why the script got an error instead of the value, which is a text that says so: the tool had run all the same."""

    def given(self) -> Any:
        """The value, for the script. Raises `ToolError` where it was too large."""
        if self.too_large:
            raise ToolError('RuntimeError', self.too_large)
        return self.value


@dataclass(frozen=True)
class Remembered:
    """A call that finished, or that was running when its snippet ended."""

    tool_name: str
    digest: str
    """Of the tool's name and the arguments: calls with the same digest are identical."""
    result: Result | None = None
    """`None`: nobody knows whether it happened."""
    began: int = 0
    """When, on the clock of the memory."""
    ended: int = 0


@dataclass
class Memory:
    """The calls of the snippet that runs, and of those that failed before it."""

    earlier: dict[str, list[Remembered]] = field(default_factory=dict[str, list[Remembered]])
    """By digest, in the order of the calls: the k-th identical call of the next snippet gets the k-th result."""
    finished: dict[int, Remembered] = field(default_factory=dict[int, Remembered])
    """The running snippet's, by the number of the call."""
    running: dict[int, Remembered] = field(default_factory=dict[int, Remembered])
    told: set[str] = field(default_factory=set[str])
    """Digests of unknown outcomes that the running snippet met; from the next snippet on the model decides."""
    outdated: set[str] = field(default_factory=set[str])
    """Digests of results too old that the running snippet met; the same holds for them."""
    clock: int = 0
    """Counts starts and ends of calls."""
    changes: dict[str, int] = field(default_factory=dict[str, int])
    """By tool: when the last of its calls began that may have changed something."""
    changed: bool = False
    """Whether the running snippet has done something of the kind itself."""
    replayed: int = 0
    """When the latest of the changes began whose results the running snippet was given again."""
    paged: Annotated[dict[int, Remembered], Field(exclude=True)] = field(default_factory=dict[int, Remembered])
    """Those of the finished ones that stand in pages; written nowhere else."""

    def tick(self) -> int:
        """The next moment."""
        self.clock += 1
        return self.clock

    def change(self, tool_name: str, began: int) -> None:
        """Take note of a call that may have changed something."""
        self.changed = True
        self.changes[tool_name] = max(began, self.changes.get(tool_name, 0))

    def next_of(self, digest: str) -> Remembered | None:
        """What `recall` would give."""
        queue = self.earlier.get(digest)
        return queue[0] if queue else None

    def since(self, call: Remembered, plan: frozenset[str]) -> list[str] | None:
        """The tools that may have changed something since the call; `None` where its result is as good as it was.

        It is for a snippet that does again what the failed one did, in its order: `plan` are the tools it may call.
        """
        later = [name for name, began in self.changes.items() if began > call.ended]
        in_order = not self.changed and self.replayed <= call.ended
        return None if in_order and plan.issuperset(later) else later

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

    def turn_page(self, numbers: Iterable[int]) -> dict[int, Remembered]:
        """Those of the finished calls that are in no page yet."""
        page = {number: self.finished.pop(number) for number in numbers if number in self.finished}
        self.paged |= page
        return page

    def whole(self) -> 'Memory':
        """The memory as it is kept without pages."""
        return replace(self, finished=self.paged | self.finished, paged={})

    def snippet_failed(self) -> None:
        """Keep the snippet's calls for the next one."""
        self._forget_told()
        for call in self.running.values():
            self.change(call.tool_name, call.began)
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
        if self.paged or self.finished or self.running:
            self.earlier, self.changes = {}, {}
        self._clear_snippet()

    def all_earlier(self) -> list[Remembered]:
        """Every remembered call."""
        return list(chain.from_iterable(self.earlier.values()))

    def to_bytes(self) -> bytes:
        """As JSON."""
        return _json.dump(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> 'Memory':
        """The memory again."""
        return _json.load(data)

    def _in_order(self) -> Iterator[Remembered]:
        both = {**self.paged, **self.finished, **self.running}
        # A call that timed out and was then made again has a result.
        return (both[number] for number in sorted(both, key=lambda number: (both[number].result is None, number)))

    def _forget_told(self) -> None:
        for digest in self.told:
            self.earlier[digest] = [call for call in self.earlier.get(digest, []) if call.result is not None]
        for digest in self.outdated:
            self.earlier.pop(digest, None)
        self.outdated = set()

    def _clear_snippet(self) -> None:
        self.paged, self.finished, self.running, self.told = {}, {}, {}, set()
        self.changed, self.replayed = False, 0


_json = KeptJson(Memory)


def memory_lines(memory: Memory, name_of: Callable[[str], str]) -> list[str]:
    """What the same calls will give in the next snippet, in one paragraph; none where nothing is remembered.

    How often each ran stands in the account of the snippet that made them.

    Args:
        memory: The calls.
        name_of: What code calls a tool.
    """
    calls = memory.all_earlier()
    done = _names(name_of(call.tool_name) for call in calls if call.result is not None)
    unknown = _names(name_of(call.tool_name) for call in calls if call.result is None)
    told = list[str]()
    if done:
        told.append(
            f'In your next script, the same calls of {done} return their recorded results and do not run again.'
        )
    if unknown:
        told.append(
            f'Calls of {unknown} may or may not have happened: the same calls in your next script raise '
            'RuntimeError("UnknownOutcome: ..."), so find out first.'
        )
    return [' '.join(told)] if told else []


def _names(names: Iterable[str]) -> str:
    return ', '.join(dict.fromkeys(names))
