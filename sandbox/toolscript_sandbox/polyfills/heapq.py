"""Heaps in lists, as Python's own `heapq` has them."""


def heappush(heap, item):
    heap.append(item)
    place = len(heap) - 1
    while place > 0:
        parent = (place - 1) // 2
        if not item < heap[parent]:
            break
        heap[place] = heap[parent]
        place = parent
    heap[place] = item


def _sink(heap, place):
    # Down to a leaf along the smaller children, and up again: so equal items come to lie where Python puts them.
    item, size, start = heap[place], len(heap), place
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and not heap[child] < heap[child + 1]:
            child += 1
        heap[place] = heap[child]
        place = child
    while place > start:
        parent = (place - 1) // 2
        if not item < heap[parent]:
            break
        heap[place] = heap[parent]
        place = parent
    heap[place] = item


def heapify(x):
    for place in range(len(x) // 2 - 1, -1, -1):
        _sink(x, place)


def heappop(heap):
    if not heap:
        raise IndexError('index out of range')
    last = heap.pop()
    if not heap:
        return last
    first = heap[0]
    heap[0] = last
    _sink(heap, 0)
    return first


def heappushpop(heap, item):
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        _sink(heap, 0)
    return item


def heapreplace(heap, item):
    first = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return first


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[: max(0, n)]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[: max(0, n)]


class merge:
    """What it merges is asked for one item after the other: it may grow meanwhile, or have no end."""

    def __init__(self, *iterables, key=None, reverse=False):
        self._iterators = [iter(items) for items in iterables]
        self._key, self._reverse = key, reverse
        self._heads, self._last = None, -1

    def __iter__(self):
        return self

    def __next__(self):
        if self._heads is None:
            self._heads = [self._head(items) for items in self._iterators]
        elif self._last >= 0:
            self._heads[self._last] = self._head(self._iterators[self._last])
        first = -1
        for number, head in enumerate(self._heads):
            if head is not None and (first < 0 or _comes(head, self._heads[first], self._reverse)):
                first = number
        self._last = first
        if first < 0:
            raise StopIteration
        return self._heads[first][1]

    def _head(self, items):
        for item in items:
            return (item if self._key is None else self._key(item), item)
        return None


def _comes(new, old, reverse):
    return old[0] < new[0] if reverse else new[0] < old[0]
