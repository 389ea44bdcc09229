b = bytearray(b'abc'); b.append(100); b[0] = 65; b.extend(b'xy'); print(b, bytes(b), len(b), b[1:3], b.decode(), b.find(b'c'), list(b)[:2], b == b'Abcdxy', 65 in b, b.hex(), b + b'!', bytearray(3), bytearray([1, 2]), bytearray('é', 'utf-8'), b.pop())
del b[0]; b[0:2] = b'ZZZ'; print(b, bool(b), isinstance(b, bytearray))
# ---
bytearray(b'ab').reverse()  ### Work on a list of numbers
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
b = bytearray(b'abc')
for other in (3, 'a', None, [1]):
    try:
        b < other
    except TypeError as error:
        print(error, b == other)
