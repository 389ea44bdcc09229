"""A graph of data flows: nodes hold sets of sources and of objects, and edges propagate both.

This is an inclusion-based points-to analysis (Andersen, 1994). Which objects a node has does not depend on sources. So
objects are propagated forward while the graph grows, and sources are found backward, from the nodes that are asked for,
one strongly connected component after the other (Tarjan, 1972). Sets are Python integers with one bit for each member.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from sys import maxsize
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal['data', 'dict', 'tuple', 'function', 'class', 'instance', 'tool', 'foreign']
Watcher: TypeAlias = Callable[[int], None]
Place: TypeAlias = int | tuple[int]
"""A node; the complement of its number, which is everything in it at any depth; or everything in a set of objects."""

MAX_EDGES = 100_000
"""The maximum number of edges."""
MAX_APART = 64
"""The maximum number of objects that are distinguished in a value; with more, it has the sources of all objects."""
_DIVIDED = ('dict', 'tuple', 'class', 'instance')
"""The kinds of objects whose parts are distinguished."""


class GraphTooLarge(Exception):
    """The graph has more than `MAX_EDGES` edges."""


@dataclass(eq=False, slots=True)
class Object:
    """All objects that one expression creates, however often it runs."""

    number: int
    kind: Kind
    unknown: int
    """The node of what is stored under unknown keys; every read may return it."""
    any: int
    """The node of everything that is stored in it."""
    cells: dict[str, int] = field(default_factory=dict)
    """The nodes of what is stored under known keys and names."""


class Graph:
    """Nodes are numbers. `points_to[node]` is a set of objects."""

    def __init__(self) -> None:
        self.points_to: list[int] = []
        self.objects: list[Object] = []
        self.tuples, self.active = 0, 0
        """The sets of tuples, and of objects that are more than data."""
        self._own: list[int] = []
        """By node, the sources that it adds to those of its predecessors."""
        self._before: list[dict[int, bool]] = []
        """By node, its predecessors; `False` if only sources are propagated."""
        self._next: list[list[int]] = []
        """By node, the successors to which objects are propagated."""
        self._watchers: dict[int, list[Watcher]] = {}
        self._new: dict[int, int] = {}
        """By node, the objects that its successors and watchers do not have yet."""
        self._sweep: list[int] = []
        self._at = maxsize
        self._closures: dict[int, int] = {}
        self._edges = 0

    def node(self, sources: int = 0, one: Object | None = None) -> int:
        self._own.append(sources)
        self._before.append({})
        self._next.append([])
        self.points_to.append(0 if one is None else 1 << one.number)
        return len(self._own) - 1

    def object(self, kind: Kind = 'data', *, opaque: bool = False) -> Object:
        """Create an object. An `opaque` one may have parts that no script stored, so reading it also returns itself."""
        any_ = unknown = self.node()
        if kind in _DIVIDED:
            unknown = self.node()
            self.edge(unknown, any_)
        one = Object(len(self.objects), kind, unknown, any_)
        self.objects.append(one)
        if kind == 'tuple':
            self.tuples |= 1 << one.number
        elif kind not in ('data', 'dict'):
            self.active |= 1 << one.number
        if opaque:
            self.add(unknown, 0, 1 << one.number)
        return one

    def cell(self, one: Object, key: str) -> int:
        if key not in one.cells:
            one.cells[key] = self.node()
            self.edge(one.cells[key], one.any)
        return one.cells[key]

    def add(self, node: int, sources: int, objects: int) -> None:
        self._own[node] |= sources
        new = objects & ~self.points_to[node]
        if new:
            self._give(node, new)

    def _give(self, node: int, new: int) -> None:
        self.points_to[node] |= new
        if node in self._new:
            self._new[node] |= new
        elif self._next[node] or node in self._watchers:
            self._new[node] = new
            if node > self._at:
                heappush(self._sweep, node)

    def edge(self, start: int, end: int) -> None:
        """Make `end` include the sources and the objects of `start`."""
        before = self._before[end]
        if before.get(start) or start == end:
            return
        before[start] = True
        self._next[start].append(end)
        self._edges += 1
        if self._edges > MAX_EDGES:
            raise GraphTooLarge
        new = self.points_to[start] & ~self.points_to[end]
        if new:
            self._give(end, new)

    def shallow(self, start: int, end: int) -> None:
        """Make `end` include the sources of `start`, but no objects."""
        self._before[end].setdefault(start, False)

    def deep(self, start: int, end: int) -> None:
        """Make `end` include the sources of `start` and of everything stored in it, at any depth, but no objects."""
        self._before[end].setdefault(~start, False)

    def join(self, *starts: int) -> int:
        if len(starts) == 1:
            return starts[0]
        node = self.node()
        for start in starts:
            self.edge(start, node)
        return node

    def watch(self, node: int, watcher: Watcher, *, active: bool = False) -> None:
        """Call `watcher` once with the number of each object that the node has now or later, or only active ones."""

        def each(objects: int) -> None:
            left = objects & self.active if active else objects
            while left:
                lowest = left & -left
                left ^= lowest
                watcher(lowest.bit_length() - 1)

        self.watch_sets(node, each)

    def watch_sets(self, node: int, watcher: Watcher) -> None:
        """Call `watcher` with sets of the objects that the node has now or later, with each object once."""
        known = self.points_to[node] & ~self._new.get(node, 0)
        self._watchers.setdefault(node, []).append(watcher)
        if known:
            watcher(known)

    def closure(self, node: int) -> int:
        """Return a node with the contents of the node and everything stored in it, at any depth."""
        if node not in self._closures:
            closed = self.node()
            self._closures[node] = self._closures[closed] = closed
            self.edge(node, closed)
            self.watch(closed, lambda number: self.edge(self.objects[number].any, closed))
        return self._closures[node]

    def closed(self, nodes: Iterable[int], sources: int) -> int:
        """Return a node with these sources, the contents of all the nodes, and everything stored in them."""
        node = self.node(sources)
        self._closures[node] = node
        for one in nodes:
            self.edge(self.closure(one), node)
        return node

    def propagate(self) -> None:
        """Propagate objects until nothing changes. Raises `GraphTooLarge` if the graph becomes too large."""
        while self._new:
            # Each sweep visits the nodes in the order of their creation, which is roughly that of the statements, so
            # most of what reaches a node has arrived before the node is visited.
            self._sweep = sorted(self._new)
            while self._sweep:
                node = self._at = heappop(self._sweep)
                new = self._new.pop(node)
                for watcher in tuple(self._watchers.get(node, ())):
                    watcher(new)
                for end in self._next[node]:
                    more = new & ~self.points_to[end]
                    if more:
                        self._give(end, more)
        self._at = maxsize

    def sources(self, places: Iterable[Place]) -> dict[Place, int]:
        """Return the sources that reach these places, and others on the way, once all objects are propagated."""
        # They refer to the graph: without them, it is freed at once and leaves nothing to the garbage collector.
        self._watchers.clear()
        found: dict[Place, int] = {}
        """The sources of each place; for places that wait, the complement of their number."""
        waiting: list[Place] = []
        """The places that are being searched, or are on a cycle with one."""
        path: list[tuple[Iterator[Place], int, int, int]] = []
        before, number, lowest, total = iter(places), 0, 0, 0
        while True:
            for one in before:
                known = found.get(one)
                if known is None:
                    if isinstance(one, int) and one >= 0:
                        own, inside = self._own[one], self._before[one]
                    else:
                        own, inside = 0, self._inside(one)
                    if inside:
                        path.append((before, number, lowest, total))
                        before, number = iter(inside), len(waiting)
                        lowest, total = number, own
                        found[one] = ~number
                        waiting.append(one)
                        break
                    known = found[one] = own
                if known >= 0:
                    total |= known
                elif ~known < lowest:
                    lowest = ~known
            else:
                if not path:
                    return found
                if lowest == number:
                    while len(waiting) > number:
                        found[waiting.pop()] = total
                lowest_inside, inside = lowest, total
                before, number, lowest, total = path.pop()
                lowest, total = min(lowest, lowest_inside), total | inside

    def _inside(self, place: Place) -> Collection[Place]:
        """Return the places whose sources everything in a node, or in a set of objects, has."""
        if isinstance(place, int):
            return [~place, (self.points_to[~place],)] if self.points_to[~place] else [~place]
        [objects], everything = place, (1 << len(self.objects)) - 1
        if objects == everything:
            return [one.any for one in self.objects]
        if objects.bit_count() > MAX_APART:
            return [(everything,)]
        stored = [self.objects[number].any for number in members(objects)]
        return [*stored, *((self.points_to[one],) for one in stored if self.points_to[one])]


def members(bits: int) -> Sequence[int]:
    """Return the members of a set."""
    found: list[int] = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
