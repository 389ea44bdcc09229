"""Topological order."""

from .exceptions import own, raised

CycleError = own('CycleError')


class TopologicalSorter:
    def __init__(self, graph=None):
        self._after, self._count, self._left = {}, {}, None
        for node, predecessors in (graph or {}).items():
            self.add(node, *predecessors)

    def add(self, node, *predecessors):
        if self._left is not None:
            raise ValueError('Nodes cannot be added after a call to prepare()')
        for one in (node, *predecessors):
            self._after.setdefault(one, [])
            self._count.setdefault(one, 0)
        for one in predecessors:
            self._after[one].append(node)
            self._count[node] += 1

    def prepare(self):
        if self._left is not None:
            raise ValueError('cannot prepare() more than once')
        self._begin()
        if len(self._all()) < len(self._count):
            raise raised(CycleError('nodes are in a cycle', self._cycle()))
        self._begin()

    def _begin(self):
        self._left, self._done = {**self._count}, 0
        self._ready = [node for node, count in self._count.items() if not count]

    def get_ready(self):
        found, self._ready = tuple(self._ready), []
        return found

    def done(self, *nodes):
        self._done += len(nodes)
        for one in [one for node in nodes for one in self._after[node]]:
            self._left[one] -= 1
            if not self._left[one]:
                self._ready.append(one)

    def _all(self):
        found = []
        while nodes := self.get_ready():
            found.extend(nodes)
            self.done(*nodes)
        return found

    def _cycle(self):
        stuck = [node for node, count in self._left.items() if count]
        before = {after: node for node in stuck for after in self._after[node]}
        path = [stuck[0]]
        while path[-1] not in path[:-1]:
            path.append(before[path[-1]])
        return path[path.index(path[-1]) :][::-1]

    def is_active(self): return self._done < len(self._count)

    def static_order(self):
        self.prepare()
        return iter(self._all())
