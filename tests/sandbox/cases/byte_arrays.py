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
bytearray(b'ab').reverse()  ### Work on a list of numbers
