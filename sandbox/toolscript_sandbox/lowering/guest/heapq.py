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
    item, size = heap[place], len(heap)
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if not heap[child] < item:
            break
        heap[place] = heap[child]
        place = child
    heap[place] = item


def heapify(x):
    for place in range(len(x) // 2 - 1, -1, -1):
        _sink(x, place)


def heappop(heap):
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


def merge(*iterables, key=None, reverse=False):
    return iter(sorted([item for iterable in iterables for item in iterable], key=key, reverse=reverse))
