# Types are told apart.
[1, 1.0, True, (1,), [1]]
# ---
10 / 4, 10 // 4, 10 % 4, -7 // 2, -7 % 3, 2**10, 2**-1
# ---
total = sum([1, 2, 3])
print('the sum is', total)
total / 2
# ---
int('twelve')
# ---
1 / 0  ### ZeroDivisionError: division by zero
# ---
# A float is rounded as the number that it is.
round(2.675, 2), round(82.235, 2), round(1.005, 2), round(2.5), round(-0.001, 2), round(350.0, -2), round(250.5, -2), round(number=0.285, ndigits=2)
# ---
list(map(round, [2.675, 1.005], [2, 2])), [round(n / 8, 2) for n in range(30)], round(2.5, None), round(25, -1), round(True)
# ---
# A function of that name is the script's own.
def round(number):
    return 'mine'
round(2.675)
# ---
import random
random.seed(3)
[round(random.uniform(-1000, 1000), places) for places in range(-3, 12) for _ in range(20)]
# ---
from decimal import Decimal
round(Decimal('2.675'), 2)
# ---
(0.5).as_integer_ratio()  ### Use fractions.Fraction(x).
# ---
# until 3.11
# Fractions: exact beside integers, near beside floats.
from decimal import Decimal
from fractions import Fraction
import math
a, b = Fraction(1, 3), Fraction('-0.125')
print(a, b, [a, b], a + b, a - 1, 2 * b, a / b, a // b, a % b, divmod(a, 2), a ** -2, a ** 0.5, 2 ** a, a + 0.5, -b, abs(b), +a)
print(a < b, a > 0.3, 1 > a, 0 <= a < 1, a == Fraction(2, 6), b == -0.125, a < Decimal('0.5'), Fraction(4, 2) == 2, sorted([a, 1, b, 0.25]), max(a, b), min([1, a]))
print(round(a, 2), round(Fraction(7, 2)), round(b), int(b), float(a), math.floor(b), math.ceil(b), math.trunc(b), bool(Fraction()), 'yes' if Fraction(0) else 'no', a.numerator, b.denominator)
print(Fraction(math.pi).limit_denominator(1000), Fraction(0.1), Fraction(Decimal('1.1')), Fraction('3/-4' if False else ' 3/4 '), Fraction('1.5e2'), sum(Fraction(1, n) for n in range(1, 10)), Fraction(a, b))
print({2: 'two', 0.5: 'half'}[Fraction(4, 2)], {Fraction(1, 2): 1}[0.5], hash(a) == hash(Fraction(2, 6)), type(a).__name__, isinstance(a, Fraction), f'{a}', '%.3f' % a, Fraction.from_float(0.5), a.as_integer_ratio())
for make in (lambda: Fraction(1, 0), lambda: Fraction('x'), lambda: Fraction(1.5, 2), lambda: Fraction(float('nan')), lambda: a < 'x', lambda: f'{a:>5}', lambda: a / 0, lambda: Fraction(0) ** -1):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__)
# ---
# Numbers and ranges have parts.
r = range(3, 20, 4)
import operator
print((5).real, (5).imag, True.real, (5).numerator, (5).denominator, (2.5).real, (2.5).imag, (1 + 2j).imag, r.start, r.stop, r.step, range(7).step, range(2, 5).start, slice(1, 2).stop, operator.attrgetter('real')(7) if False else 7)
try:
    (2.5).numerator
except AttributeError as error:
    print(error)
# ---
# Objects of the script have parts of their own.
class Span:
    def __init__(self, start):
        self.start = start
Span('own').start
# ---
xs=[1.0]
print(float('nan') in xs)  ### A new nan is in nothing
# ---
# until 3.13
# Beside a complex number a real one is made complex, which tells in the signs of zeros.
import cmath


def transformed(values):
    if len(values) == 1:
        return values
    even, odd = transformed(values[0::2]), transformed(values[1::2])
    turned = [cmath.exp(-2j * cmath.pi * k / len(values)) * odd[k] for k in range(len(odd))]
    return [e + t for e, t in zip(even, turned)] + [e - t for e, t in zip(even, turned)]


print(transformed([1, 1, 1, 1]), transformed([1, 0, -1, 0.5]))
z = -2j
print(4 - 0j, -1j * 2, z * 0, z * 3.5, 2 / z, z / 2, 1 - z, z - 1, True * z, -z, z**2, abs(z))
z *= 2
z -= 1
text, items = 'a' + 'b' * 2, [1] * 2 + [3]
print(z, text, items, f'{2 * z} {z.real} {z.conjugate()}')
# ---
print(pow(2, exp=3), pow(base=2, exp=5), pow(2, 5, mod=7), pow(exp=2, base=3), pow(3, -1, 7))
# ---
values = [1.0, float('nan'), 2.0]
missing = float('nan')
print([value for value in values if value == value])
print(missing in values)  ### A nan is in nothing but what has this very one: ask any(x != x for x in items).
# ---
import math
print([1, 2].index(math.nan))  ### A nan is found only as the very same object
# ---
values = [1.0, float('nan'), float('nan')]
print(len(set(values)))  ### leave them out first
# ---
# Where a script speaks of nans, all else is asked for as ever.
values = [float(text) if text else None for text in ['1', 'nan', '', '2.5', 'nan']]
clean = [value for value in values if value is not None and value == value]
print(clean == [1.0, 2.5], clean != [], not clean == [2], set(clean), 3 in values, 'nan' not in ['x'], values == [1])
print(sum(1 for value in values if value != value), ['a', 'nan'].index('nan'), 'nan nan'.count('nan'), f'{1.0 in values}')
# ---
# until 3.12
from decimal import Decimal

amount = Decimal('1234.5')
print(f'{amount:,.2f}', f'{amount:_>10}', f'{amount:#>10}', format(amount, '010.1f'))
for form in ('_', '#', ',_', '_.2f'):
    try:
        print(format(amount, form))
    except ValueError as error:
        print(error)
try:
    print(f'{1234:_}', f'{amount:_}')
except ValueError as error:
    print(error)
# ---
# Powers of complex numbers, to the last digit.
found, n = [], 1
for _ in range(40):
    parts = []
    for _ in range(4):
        n = (n * 1103515245 + 12345) % 2**31
        parts.append((n % 1000) / 37 - 13.03)
    a, b = complex(parts[0], parts[1]), complex(parts[2] / 3, parts[3] / 3)
    found += [a**b, a ** int(parts[2]), a ** parts[3], parts[0] ** b, pow(a, b), a**0.5, 2**31]
    a **= 2
    found.append(a)
print(found)
for a, b in [(0j, -1), (0j, 1j), (0j, 0), (0, 0j), (0j, 2), (1 + 1j, 1000), (1 + 1j, 10000), (2j, -1000), (-8.0, 1 / 3)]:
    try:
        print(a**b)
    except (ZeroDivisionError, OverflowError) as error:
        print(type(error).__name__, error)
# ---
from operator import attrgetter

name = 'imag'
print(getattr(7, 'real', 0), getattr('a', 'real', 0), getattr(2.5, name), getattr(range(3), 'stop'), attrgetter('real', 'imag')(3))
print(hasattr(7, 'real'), hasattr('a', 'real'), hasattr(2.5, 'numerator'), hasattr(range(2), 'step'), hasattr([], 'step'))
# ---
data = b'abc'
print(ord(b'a'), ord(data[1:2]), ord('é'), ord(data.decode()[0:1]))
try:
    ord(b'ab')
except TypeError as error:
    print(error)
# ---
import math
xs = [n / 37 for n in range(-260, 260, 7)] + [n / 7 for n in range(-1250, 1250, 91)] + [2.0 ** -n for n in range(0, 1074, 97)]
def show(f):
    for x in xs:
        try:
            print(f(x))
        except (ValueError, OverflowError) as e:
            print(type(e).__name__, e)
show(math.erf)
show(math.erfc)
show(math.gamma)
show(math.lgamma)
# ---
from math import erf, sqrt, gamma, inf, nan
def cdf(x): return (1 + erf(x / sqrt(2))) / 2
print([cdf(x) for x in (-3, -1.96, 0, 1, 1.96)], sum(map(erf, [1, 2])), gamma(5), gamma(inf), gamma(nan), gamma(True), erf(-0.0))
for bad in ('a', None, [1]):
    try: erf(bad)
    except TypeError as e: print(e)
for bad in (0, -1, -inf, 172):
    try: gamma(bad)
    except (ValueError, OverflowError) as e: print(type(e).__name__, e)
# ---
from fractions import Fraction
from decimal import Decimal
import math
print(math.erf(Fraction(1, 2)), math.gamma(Decimal('2.5')), math.lgamma(100), math.lgamma(3), math.lgamma(-2.5), math.erfc(10 ** 20))
try: math.lgamma(10 ** 400)
except OverflowError as e: print(e)
# ---
def told(x):
    match x:
        case 1+2j | -3j:
            return 'one of them'
        case {'z': 2 - 1j, **rest}:
            return x['z'] * 2
        case _:
            return x + 1j
[told(1+2j), told(-3j), told({'z': 2 - 1j}), told(4)]
