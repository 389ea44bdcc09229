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


def merge(*iterables, key=None, reverse=False):
    rows = [[(item if key is None else key(item), item) for item in iterable] for iterable in iterables]
    places, merged = [0] * len(rows), []
    while True:
        first = -1
        for number, row in enumerate(rows):
            if places[number] < len(row) and (
                first < 0 or _comes(row[places[number]], rows[first][places[first]], reverse)
            ):
                first = number
        if first < 0:
            return iter(merged)
        merged.append(rows[first][places[first]][1])
        places[first] += 1


def _comes(new, old, reverse):
    return old[0] < new[0] if reverse else new[0] < old[0]
