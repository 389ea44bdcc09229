"""Values and containers: creating, reading and storing them, and the conditions under which that happens."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from .graph import Graph, Object, members
from .overview import Overview

MODEL, ANYTHING, FILES = 1, 2, 4
"""Sources of every analysis: the model's own text; anything it cannot decide, so any earlier call; files."""


class ValueFlows:
    """The effects of operations on values. Methods take nodes of the graph and return the node of the result."""

    def __init__(self, overview: Overview, tools: Callable[[str], bool], *, strict: bool) -> None:
        self.graph = graph = Graph()
        self._overview = overview
        self._tools = tools
        self._strict = strict
        self._bits = (MODEL | ANYTHING | FILES).bit_length()
        self.text = graph.node(MODEL)
        self.anything = graph.node(ANYTHING)
        self._world, self._earlier = graph.object('foreign', opaque=True), graph.object(opaque=True)
        self._outer, self._changers = graph.object('foreign'), graph.object('foreign')
        """Stateless functions and modules from outside the script; the second object modifies its arguments."""
        graph.add(self._world.unknown, FILES, 0)
        self._errors = graph.object()
        """Errors that Python raises, and what they hold."""
        self._raised, self._printed = graph.node(0, self._errors), graph.node()
        self.shown: list[int] = []
        """By script, the node of what its result and output reveal."""
        self._pc = self._abrupt = graph.node()
        if strict and overview.catches:
            graph.add(self._abrupt, ANYTHING, 0)

    def _source(self) -> int:
        self._bits += 1
        return 1 << self._bits - 1

    def _scalar(self, values: Sequence[int]) -> int:
        """Return a value without parts, computed from these values."""
        made_of = [value for value in values if value != self.text]
        if not made_of:
            return self.text
        node = self.graph.node(MODEL)
        for value in made_of:
            self.graph.deep(value, node)
        return node

    def _combined(self, values: Sequence[int]) -> int:
        """Return the result of an operator: computed from its operands, with their items if they are containers."""
        graph, node = self.graph, self._scalar(values)
        joined: list[Object] = []

        def found(objects: int) -> None:
            tuples = objects & graph.tuples
            graph.add(node, 0, objects ^ tuples)
            # The items of a tuple move to other positions.
            if tuples and not joined:
                joined.append(graph.object())
                graph.add(node, 0, 1 << joined[0].number)
            for number in members(tuples):
                graph.edge(graph.objects[number].any, joined[0].unknown)

        for value in values:
            if value != self.text:
                graph.watch_sets(value, found)
        return node

    def _parts_of(self, values: Sequence[int]) -> int:
        """Return parts of values, at any depth, or something that contains them."""
        graph, node = self.graph, self.graph.closed([value for value in values if value != self.text], MODEL)
        # It holds everything in the node, also itself.
        holder = graph.object()
        graph.edge(node, holder.unknown)
        graph.add(node, 0, 1 << holder.number)
        return node

    def _items(self, value: int, key: str | None = None) -> int:
        """Return what is stored in a value, under a key if it is known."""
        graph, node = self.graph, self.graph.node()
        graph.shallow(value, node)

        def found(number: int) -> None:
            one = graph.objects[number]
            if key is None or one.kind not in ('dict', 'tuple'):
                graph.edge(one.any, node)
            else:
                graph.edge(graph.cell(one, key), node)
                graph.edge(one.unknown, node)

        graph.watch(value, found)
        return node

    def _tuple(self, parts: Sequence[int]) -> int:
        one = self.graph.object('tuple')
        for place, part in enumerate(parts):
            self._flow(part, self.graph.cell(one, repr(place)))
        return self.graph.node(MODEL, one)

    def _held(self, items: int) -> int:
        """Return a container of the items."""
        one = self.graph.object()
        self.graph.edge(items, one.unknown)
        node = self.graph.node(0, one)
        self.graph.shallow(items, node)
        return node

    def _store(self, base: int, value: int, key: str | None = None) -> None:
        """Store a value in the objects of another, under a key if it is known."""
        graph, pc = self.graph, self._pc

        def found(number: int) -> None:
            one = graph.objects[number]
            cell = one.unknown if key is None or one.kind != 'dict' else graph.cell(one, repr(key))
            self._flow(value, cell, pc=pc)

        graph.watch(base, found)

    def _flow(self, value: int, node: int, *, pc: int | None = None) -> None:
        """Let a value reach a node, under the current conditions or those of `pc`."""
        self.graph.edge(value, node)
        if self._strict:
            self.graph.shallow(self._pc if pc is None else pc, node)

    @contextmanager
    def _under(self, condition: int) -> Generator[None]:
        """Make everything that is read inside depend on the condition."""
        before = self._pc
        self._deepen(condition)
        yield
        self._pc = before

    def _deepen(self, condition: int) -> None:
        """Make everything that is read from here on depend on the condition."""
        if self._strict:
            pc = self.graph.node()
            self.graph.shallow(self._pc, pc)
            self.graph.deep(condition, pc)
            self._pc = pc

    def _conditional(self, value: int, condition: int) -> int:
        if not self._strict:
            return value
        node = self.graph.join(value, self.graph.node())
        self.graph.deep(condition, node)
        return node
