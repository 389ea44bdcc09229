"""Heaps in lists."""

from .comparisons import less, sorted as _sorted


def heappush(heap, item):
    heap.append(item)
    _up(heap, len(heap) - 1)


def heappop(heap):
    last = heap.pop()
    if not heap:
        return last
    found, heap[0] = heap[0], last
    _down(heap, 0)
    return found


def heapreplace(heap, item):
    found, heap[0] = heap[0], item
    _down(heap, 0)
    return found


def heappushpop(heap, item): return heapreplace(heap, item) if heap and less(heap[0], item) else item


def heapify(x):
    for place in range(len(x) // 2 - 1, -1, -1):
        _down(x, place)


def _up(heap, place, first=0):
    item = heap[place]
    while place > first:
        above = (place - 1) // 2
        if not less(item, heap[above]):
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


def _down(heap, place):
    # Like CPython, so that equal items have the same order: down to a leaf along the smaller children, then up again.
    item, first, size = heap[place], place, len(heap)
    below = 2 * place + 1
    while below < size:
        if below + 1 < size and not less(heap[below], heap[below + 1]):
            below += 1
        heap[place] = heap[below]
        place = below
        below = 2 * place + 1
    heap[place] = item
    _up(heap, place, first)


def nsmallest(n, iterable, key=None): return _sorted(iterable, key=key)[: max(0, n)]
def nlargest(n, iterable, key=None): return _sorted(iterable, key=key, reverse=True)[: max(0, n)]


def merge(*iterables, key=None, reverse=False):
    return iter(_sorted([item for items in iterables for item in items], key=key, reverse=reverse))
