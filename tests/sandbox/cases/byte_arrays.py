b = bytearray(b'abc'); b.append(100); b[0] = 65; b.extend(b'xy'); print(b, bytes(b), len(b), b[1:3], b.decode(), b.find(b'c'), list(b)[:2], b == b'Abcdxy', 65 in b, b.hex(), b + b'!', bytearray(3), bytearray([1, 2]), bytearray('é', 'utf-8'), b.pop(), b.upper())
for x in b[:2]: print(x)
b.insert(0, 1); b.reverse(); del b[0]; b[0:2] = b'ZZZ'; print(b); b.clear(); print(bool(b), isinstance(b, bytearray), isinstance(b, (bytes, bytearray)))
# ---
def sieve(n):
    s = bytearray([1]) * (n + 1)
    s[0:2] = b'\x00\x00'
    for i in range(2, int(n ** .5) + 1):
        if s[i]: s[i*i::i] = bytearray(len(s[i*i::i]))
    return [i for i, p in enumerate(s) if p]
print(sieve(50))
def sieve2(n):
    flags = bytearray(b'\x01') * (n + 1)
    flags[0] = flags[1] = 0
    for i in range(2, n + 1):
        if flags[i]:
            for j in range(i * i, n + 1, i): flags[j] = 0
    return sum(flags)
print(sieve2(100))
# ---
data = bytearray()
for part in [b'ab', b'c']: data += part
other = data; data += bytes([100]); print(other is data, data, data[-1], data.count(b'a'), data.startswith(b'ab'), b'bc' in data, len(data), data * 2)
def fill(buf): buf.append(5); buf.extend([1, 2]); return buf
print(fill(bytearray(2)), [hex(b) for b in bytearray(b'hi')], bytearray.fromhex('ff00'), bytes(bytearray([1, 2])), b'x' + bytearray(b'y'), bytearray(b'x') + b'y', type(bytearray()).__name__, max(bytearray(b'az')), sorted(bytearray(b'ba')), bytearray(b'a') == bytearray(b'a'), bytearray(b'a') != b'b', {1: bytearray(b'q')}, f'{bytearray(b"z")}', bool(bytearray()), int.from_bytes(bytearray([1, 0]), 'big'))
for bad in (lambda: bytearray([256]), lambda: bytearray('x'), lambda: bytearray(2)[5], lambda: bytearray(b'') .pop(), lambda: bytearray(b'a').remove(3)):
    try: bad()
    except Exception as e: print(type(e).__name__, e)
if not bytearray(): print('empty')
n = 0; n += 1; s = 'a'; s += 'b'; t = [1]; t += (2,); print(n, s, t)
b = bytearray(b'hello'); b[0] = ord('J'); b[1:3] = b'EEE'; del b[-1]; del b[0:2]; print(b, b.decode(), b.hex(), list(reversed(b)), b.index(b'E'), b.find(ord('l')), b.replace(b'l', b'L'), b.copy() is b, b.split(b'l'), b.isalpha())
# ---
data, numbers = b'abcabc', [1, 2, 1, 4]
print(data.find(98), data.index(98), data.count(97), data.rfind(ord('b')), data.find(data[2]), data.find(b'c'))
print(numbers.index(2), numbers.count(1), numbers.index(numbers[1]), 'abc'.find('abc'[1]))
array = bytearray(b'abc')
del numbers[::2]
del numbers[:1]
print(numbers, array)
# ---
b = bytearray(b'abc')
for other in (3, 'a', None, [1]):
    try:
        b < other
    except TypeError as error:
        print(error, b == other)
