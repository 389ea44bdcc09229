1 / 0  ### ZeroDivisionError: division by zero
# ---
# A float is rounded as the number that it is.
round(2.675, 2), round(82.235, 2), round(1.005, 2), round(2.5), round(-0.001, 2), round(350.0, -2), round(250.5, -2), round(number=0.285, ndigits=2)
# ---
(0.5).as_integer_ratio()  ### Use fractions.Fraction(x).
# ---
# Numbers and ranges have parts.
r = range(3, 20, 4)
print((5).real, (5).imag, True.real, (5).numerator, (5).denominator, (2.5).real, (2.5).imag, (1 + 2j).imag, r.start, r.stop, r.step, range(7).step, range(2, 5).start, slice(1, 2).stop, operator.attrgetter('real')(7) if False else 7)  ### int has no real here
# ---
print(pow(2, exp=3), pow(base=2, exp=5), pow(2, 5, mod=7), pow(exp=2, base=3), pow(3, -1, 7))
# ---
import math
print([1, 2].index(math.nan))  ### A nan is found only as the very same object
