"""Rounding to a number of decimals, of the number that a float is and not of the one that it is written as.

Monty's `round(2.675, 2)` gives 2.68, though the float lies below 2.675; its formatting rounds as Python does.
"""

import math


def rounded(number, ndigits=None):
    if not isinstance(number, float) or not isinstance(ndigits, int) or math.isinf(number) or math.isnan(number):
        return round(number, ndigits)
    if ndigits >= 0:
        return number if ndigits > 340 else float(f'{number:.{ndigits}f}')
    if ndigits < -308:
        return math.copysign(0.0, number)
    unit, whole = 10**-ndigits, int(abs(number))
    times, rest = divmod(whole, unit)
    over = 2 * rest - unit
    if over > 0 or (over == 0 and (abs(number) != whole or times % 2)):
        times += 1
    return math.copysign(float(times * unit), number)
