# A variable may have a builtin's name, and modules and generators still compute with the builtin.
import heapq, re, statistics, textwrap
xs, heap = [3, 1, 2], []
sum = len = max = 0
for x in xs:
    sum, len, max = sum + x, len + 1, x if x > max else max
    heapq.heappush(heap, x)
list, str, isinstance, range, sorted, dict, min = ['a1', 'b2'], 'x', 3, (1, 5), False, {'a': 1}, None
print(sum / len, max, statistics.mean(xs), heapq.heappop(heap), heapq.nsmallest(1, heap))
[re.sub(r'\d', '#', s) for s in list], re.findall(r'\w', 'a b'), textwrap.fill('hello world', 8), round(2.675, 2)
