"""Topological order."""

CycleError = ValueError


class TopologicalSorter:
    def __init__(self, graph=None):
        self._waits_for, self._ready, self._done, self._prepared = {}, [], 0, False
        for node, predecessors in (graph or {}).items():
            self.add(node, *predecessors)

    def add(self, node, *predecessors):
        if self._prepared:
            raise ValueError('Nodes cannot be added after a call to prepare()')
        for one in (node, *predecessors):
            self._waits_for.setdefault(one, [])
        self._waits_for[node].extend(predecessors)

    def prepare(self):
        if self._prepared:
            raise ValueError('cannot prepare() more than once')
        self._prepared = True
        self._after = {node: [] for node in self._waits_for}
        self._left = {node: len(before) for node, before in self._waits_for.items()}
        for node, before in self._waits_for.items():
            for one in before:
                self._after[one].append(node)
        self._ready = [node for node, count in self._left.items() if not count]
        left, free = {**self._left}, [*self._ready]
        while free:
            node = free.pop()
            left.pop(node)
            for one in self._after[node]:
                left[one] -= 1
                if not left[one]:
                    free.append(one)
        if left:
            raise CycleError(f'nodes are in a cycle: {[*left]}')

    def get_ready(self):
        found, self._ready = tuple(self._ready), []
        return found

    def is_active(self):
        if not self._prepared:
            raise ValueError('prepare() must be called first')
        return self._done < len(self._left)

    def done(self, *nodes):
        for node in nodes:
            self._done += 1
            for one in self._after[node]:
                self._left[one] -= 1
                if not self._left[one]:
                    self._ready.append(one)

    def static_order(self):
        self.prepare()
        found = []
        while self.is_active():
            nodes = self.get_ready()
            found.extend(nodes)
            self.done(*nodes)
        return iter(found)
