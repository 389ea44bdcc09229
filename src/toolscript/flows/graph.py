"""A graph of data flows: nodes hold sets of sources and of objects, and edges propagate both.

This is an inclusion-based points-to analysis (Andersen, 1994). Which objects a node has does not depend on sources, so
sources are propagated once, when all objects are known. Sets are Python integers with one bit for each member, so a
union is a single operation.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal['data', 'dict', 'tuple', 'function', 'class', 'instance', 'tool']
Watcher: TypeAlias = Callable[[int], None]

MOST_EDGES = 100_000
"""The maximum number of edges."""
MOST_APART = 64
"""The maximum number of objects that are distinguished in a value; with more, it has the sources of all objects."""


class GraphTooLarge(Exception):
    """The graph has more than `MOST_EDGES` edges."""


@dataclass(eq=False)
class Object:
    """All objects that one expression creates, however often it runs."""

    number: int
    kind: Kind
    unknown: int
    """The node of what is stored under unknown keys; every read may return it."""
    any: int
    """The node of everything that is stored in it."""
    cells: dict[str, int] = field(default_factory=dict[str, int])
    """The nodes of what is stored under known keys and names."""


class Graph:
    """Nodes are numbers. `sources[node]` and `points_to[node]` are sets of sources and of objects."""

    def __init__(self) -> None:
        self.sources = list[int]()
        self.points_to = list[int]()
        self.objects = list[Object]()
        self._next = list[dict[int, bool]]()
        """By node, its successors; `False` if only sources are propagated."""
        self._watchers = dict[int, list[Watcher]]()
        self._closures = dict[int, int]()
        self._deep, self._insides = dict[int, int](), dict[int, int]()
        """By node, the one of all sources in it; by set of objects, the node of all sources in these."""
        self._unread = list[int]()
        """The sets of objects whose node has no edges yet."""
        self._new = dict[int, int]()
        """By node, the members that its successors do not have yet."""
        self._sweep, self._at = list[int](), -1
        self._edges = 0

    def node(self, sources: int = 0, *objects: Object) -> int:
        self.sources.append(sources)
        self.points_to.append(0)
        self._next.append({})
        number = len(self.sources) - 1
        for one in objects:
            self.points_to[number] |= 1 << one.number
        return number

    def object(self, kind: Kind = 'data', *, opaque: bool = False) -> Object:
        """Create an object. An `opaque` one may have parts that no script stored, so reading it also returns itself."""
        unknown, any_ = self.node(), self.node()
        one = Object(len(self.objects), kind, unknown, any_)
        self.objects.append(one)
        self.edge(unknown, any_)
        if opaque:
            self.add(unknown, 0, 1 << one.number)
        return one

    def cell(self, one: Object, key: str) -> int:
        if key not in one.cells:
            one.cells[key] = self.node()
            self.edge(one.cells[key], one.any)
        return one.cells[key]

    def add(self, node: int, sources: int, objects: int) -> None:
        self.sources[node] |= sources
        self._add(self.points_to, node, objects)

    def _add(self, sets: list[int], node: int, members: int) -> None:
        new = members & ~sets[node]
        if new:
            sets[node] |= new
            if node in self._new:
                self._new[node] |= new
            else:
                self._new[node] = new
                if node > self._at:
                    heappush(self._sweep, node)

    def edge(self, start: int, end: int, *, objects: bool = True) -> None:
        """Make `end` include everything in `start`; without `objects`, only its sources."""
        following = self._next[start]
        known = following.get(end)
        if known or known is objects or start == end:
            return
        following[end] = objects
        self._edges += 1
        if self._edges > MOST_EDGES:
            raise GraphTooLarge
        if objects and self.points_to[start]:
            self._add(self.points_to, end, self.points_to[start])

    def join(self, *starts: int) -> int:
        if len(starts) == 1:
            return starts[0]
        node = self.node()
        for start in starts:
            self.edge(start, node)
        return node

    def watch(self, node: int, watcher: Watcher) -> None:
        """Call `watcher` once with the number of each object that the node has now or later."""
        seen = 0

        def found(objects: int) -> None:
            nonlocal seen
            new = objects & ~seen
            seen |= new
            while new:
                lowest = new & -new
                watcher(lowest.bit_length() - 1)
                new ^= lowest

        self._watchers.setdefault(node, []).append(found)
        found(self.points_to[node])

    def closure(self, node: int) -> int:
        """Return a node with the contents of the node and everything stored in it, at any depth."""
        if node not in self._closures:
            closed = self.node()
            self._closures[node] = self._closures[closed] = closed
            self.edge(node, closed)
            self.watch(closed, lambda number: self.edge(self.objects[number].any, closed))
        return self._closures[node]

    def deep(self, node: int) -> int:
        """Return a node with the sources of the node and of everything stored in it, at any depth, but no objects."""
        if node not in self._deep:
            self._deep[node] = self.node()
            self.edge(node, self._deep[node], objects=False)
        return self._deep[node]

    def holder(self, closed: int) -> None:
        """Add an object to a closed node that holds everything in the node, so the object contains its members, too."""
        one = self.object()
        self.edge(closed, one.unknown)
        self.add(closed, 0, 1 << one.number)

    def closed(self, nodes: Iterable[int], sources: int) -> int:
        """Return a node with these sources, the contents of all the nodes, and everything stored in them."""
        node = self.node(sources)
        self._closures[node] = node
        for one in nodes:
            self.edge(self.closure(one), node)
        return node

    def solve(self) -> None:
        """Propagate everything. Raises `GraphTooLarge` if the graph becomes too large."""
        self._propagate(self.points_to, are_objects=True)
        # They refer to the graph: without them, it is freed at once and leaves nothing to the garbage collector.
        self._watchers.clear()
        for node, deep in self._deep.items():
            self.edge(self._inside(self.points_to[node]), deep, objects=False)
        while self._unread:
            self._read_inside(self._unread.pop())
        self._new = {node: sources for node, sources in enumerate(self.sources) if sources}
        self._propagate(self.sources, are_objects=False)

    def _propagate(self, sets: list[int], *, are_objects: bool) -> None:
        """Propagate one kind of sets until nothing changes."""
        while self._new:
            # Each sweep visits the nodes in the order of their creation, which is roughly that of the statements, so
            # most of what reaches a node has arrived before the node is visited.
            self._sweep = sorted(self._new)
            while self._sweep:
                node = self._at = heappop(self._sweep)
                new = self._new.pop(node)
                for found in tuple(self._watchers.get(node, ())):
                    found(new)
                for end, passes_objects in self._next[node].items():
                    if new & ~sets[end] and (passes_objects or not are_objects):
                        self._add(sets, end, new)

    def _read_inside(self, objects: int) -> None:
        inside, everything = self._insides[objects], (1 << len(self.objects)) - 1
        if objects != everything and objects.bit_count() > MOST_APART:
            self.edge(self._inside(everything), inside, objects=False)
            return
        for number in members(objects):
            stored = self.objects[number].any
            self.edge(stored, inside, objects=False)
            if objects != everything:
                self.edge(self._inside(self.points_to[stored]), inside, objects=False)

    def _inside(self, objects: int) -> int:
        """Return the node of the sources of everything that is stored in these objects, at any depth."""
        if objects in self._insides:
            return self._insides[objects]
        inside = self._insides[objects] = self.node()
        self._unread.append(objects)
        return inside


def members(bits: int) -> Iterator[int]:
    """Yield the members of a set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
