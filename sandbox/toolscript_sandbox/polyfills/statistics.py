"""Statistics as Python 3.11 computes them: sums, means and variances exactly, over fractions, and rounded once, at the end.

Written by hand because Python's own needs classes that inherit (`fractions`, `numbers`); a fraction is a pair of ints here. Later
Pythons add up some of `fmean`, `covariance` and what builds on them in another way, which shows in the last digit.
"""

import math
from collections import namedtuple
from decimal import Decimal

from .errors import derived, raised


class StatisticsError:
    pass


derived(StatisticsError, ValueError, [], 'StatisticsError')
_LARGE = 1 << 2000
LinearRegression = namedtuple('LinearRegression', ['slope', 'intercept'])


def _ratio(value):
    if isinstance(value, int):
        return (int(value), 1)
    if isinstance(value, float):
        if math.isnan(value) or math.isinf(value):
            return (value, None)
        mantissa, exponent = math.frexp(value)
        number, exponent = int(mantissa * 9007199254740992), exponent - 53
        return (number << exponent, 1) if exponent >= 0 else _reduced(number, 1 << -exponent)
    if isinstance(value, Decimal):
        if not value.is_finite():
            return (value, None)
        sign, digits, exponent = value.as_tuple()
        number = int(''.join([str(digit) for digit in digits]) or '0')
        number = -number if sign else number
        return (number * 10**exponent, 1) if exponent >= 0 else _reduced(number, 10**-exponent)
    if _is_fraction(value):
        return (value.numerator, value.denominator)
    raise TypeError(f"can't convert type '{type(value).__name__}' to numerator/denominator")


def _reduced(number, by):
    if by < 0:
        number, by = -number, -by
    shared = math.gcd(number, by)
    return (number // shared, by // shared)


def _is_fraction(value):
    return type(value).__name__ == '_fractions_Fraction'


def _kind(values):
    kind = int
    for value in values:
        one = Decimal if isinstance(value, Decimal) else float if isinstance(value, float) else int
        one = type(value) if _is_fraction(value) else one
        if kind is int:
            kind = one
        elif one is not int and one is not kind:
            if Decimal in (kind, one):
                names = [name.removeprefix('_fractions_') for name in (kind.__name__, one.__name__)]
                raise TypeError(f"don't know how to coerce {names[0]} and {names[1]}")
            kind = float
    return kind


def _sign(value):
    # Monty asks no object how it compares.
    return value.numerator if _is_fraction(value) else value


def _sorted(data):
    values = list(data)
    if not any([_is_fraction(value) for value in values]):
        return sorted(values)
    ratios = [_ratio(value) for value in values]
    whole = math.lcm(*[by for _, by in ratios])
    order = sorted(range(len(values)), key=lambda place: ratios[place][0] * (whole // ratios[place][1]))
    return [values[place] for place in order]


def _floats(values):
    return [value.numerator / value.denominator if _is_fraction(value) else value for value in values]


def _total(values):
    """Kind and exact sum; a sum that is no number has no denominator."""
    number, by, odd = 0, 1, None
    for value in values:
        top, bottom = _ratio(value)
        if bottom is None:
            odd = top if odd is None else odd + top
        elif bottom == by:
            number += top
        else:
            number, by = number * bottom + top * by, by * bottom
            if by > _LARGE:
                number, by = _reduced(number, by)
    return (_kind(values), odd, None) if odd is not None else (_kind(values), *_reduced(number, by))


def _made(kind, number, by):
    if kind is Decimal:
        return Decimal(number) / by
    if kind is not int and kind is not float:
        return kind(number, by)
    return number if kind is int and by == 1 else number / by


def _divided(kind, number, by, count):
    return number / count if by is None else _made(kind, *_reduced(number, by * count))


def mean(data):
    values = list(data)
    if not values:
        raise raised(StatisticsError('mean requires at least one data point'))
    return _divided(*_total(values), len(values))


def fmean(data, weights=None):
    values = _floats(data)
    if weights is None:
        if not values:
            raise raised(StatisticsError('fmean requires at least one data point'))
        return math.fsum(values) / len(values)
    shares = list(weights)
    if len(values) != len(shares):
        raise raised(StatisticsError('data and weights must be the same length'))
    whole = math.fsum(shares)
    if not whole:
        raise raised(StatisticsError('sum of weights must be non-zero'))
    return math.fsum([value * share for value, share in zip(values, shares)]) / whole


def geometric_mean(data):
    values = _floats(data)
    if not values or not all([value > 0 for value in values]):
        raise raised(StatisticsError('geometric mean requires a non-empty dataset containing positive numbers'))
    return math.exp(fmean([math.log(value) for value in values]))


def harmonic_mean(data, weights=None):
    values = list(data)
    negative = 'harmonic mean does not support negative values'
    if not values:
        raise raised(StatisticsError('harmonic_mean requires at least one data point'))
    if len(values) == 1 and weights is None:
        if not isinstance(values[0], (int, float, Decimal)) and not _is_fraction(values[0]):
            raise TypeError('unsupported type')
        if _sign(values[0]) < 0:
            raise raised(StatisticsError(negative))
        return values[0]
    if weights is None:
        shares, whole = [1] * len(values), (int, len(values), 1)
    else:
        shares = list(weights)
        if len(shares) != len(values):
            raise raised(StatisticsError('Number of weights does not match data size'))
        if any([share < 0 for share in shares]):
            raise raised(StatisticsError(negative))
        whole = _total(shares)
    for value, share in zip(values, shares):
        if _sign(value) < 0:
            raise raised(StatisticsError(negative))
        if value == 0 and share:
            return 0
    kind, number, by = _total([share / value if share else 0 for share, value in zip(shares, values)])
    if number <= 0:
        raise raised(StatisticsError('Weighted sum must be positive'))
    return _made(kind, *_reduced(whole[1] * by, whole[2] * number))


def median(data):
    values = _sorted(data)
    if not values:
        raise raised(StatisticsError('no median for empty data'))
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def median_low(data):
    values = _sorted(data)
    if not values:
        raise raised(StatisticsError('no median for empty data'))
    return values[(len(values) - 1) // 2]


def median_high(data):
    values = _sorted(data)
    if not values:
        raise raised(StatisticsError('no median for empty data'))
    return values[len(values) // 2]


def median_grouped(data, interval=1):
    values = _sorted(data)
    if not values:
        raise raised(StatisticsError('no median for empty data'))
    middle = values[len(values) // 2]
    below = len([value for value in values if value < middle])
    share = len([value for value in values if value == middle])
    return float(middle) - interval / 2.0 + interval * (len(values) / 2 - below) / share


def multimode(data):
    counts = {}
    for value in data:
        counts[value] = counts.get(value, 0) + 1
    most = max(counts.values(), default=0)
    return [value for value, count in counts.items() if count == most]


def mode(data):
    found = multimode(data)
    if not found:
        raise raised(StatisticsError('no mode for empty data'))
    return found[0]


def _squares(values, center):
    """Kind and exact sum of the squared distances from the center, or from the mean."""
    if center is not None:
        return _total([(value - center) * (value - center) for value in values])
    kind, number, by = _total(values)
    if by is None:
        return (kind, number - number, None)
    count, top, bottom = len(values), 0, 1
    for value in values:
        a, b = _ratio(value)
        top, bottom = top * b * b + a * a * bottom, bottom * b * b
        if bottom > _LARGE:
            top, bottom = _reduced(top, bottom)
    # count * sum of squares - square of sum, over count
    return (kind, *_reduced(count * top * by * by - number * number * bottom, bottom * by * by * count))


def _spread(data, center, less, name):
    values = list(data)
    if len(values) <= less:
        raise raised(StatisticsError(f'{name} requires at least {"two data points" if less else "one data point"}'))
    kind, number, by = _squares(values, center)
    return (kind, number, by, len(values) - less)


def pvariance(data, mu=None):
    return _divided(*_spread(data, mu, 0, 'pvariance'))


def variance(data, xbar=None):
    return _divided(*_spread(data, xbar, 1, 'variance'))


def _root(kind, number, by, count):
    """The square root, rounded once."""
    if by is None:
        return math.sqrt(number / count) if kind is not Decimal else (number / count).sqrt()
    number, by = _reduced(number, by * count)
    if kind is Decimal:
        return (Decimal(number) / Decimal(by)).sqrt()
    if not number:
        return 0.0
    shift = (len(bin(number)) - len(bin(by)) - 109) // 2
    if shift >= 0:
        return float(_odd_root(number, by << 2 * shift) << shift)
    return _odd_root(number << -2 * shift, by) / (1 << -shift)


def _odd_root(number, by):
    root = math.isqrt(number // by)
    return root | (1 if root * root * by != number else 0)


def stdev(data, xbar=None):
    return _root(*_spread(data, xbar, 1, 'stdev'))


def pstdev(data, mu=None):
    return _root(*_spread(data, mu, 0, 'pstdev'))


def quantiles(data, *, n=4, method='exclusive'):
    if n < 1:
        raise raised(StatisticsError('n must be at least 1'))
    values = _sorted(data)
    size = len(values)
    if size < 2:
        raise raised(StatisticsError('must have at least two data points'))
    if method not in ('inclusive', 'exclusive'):
        raise ValueError(f'Unknown method: {method!r}')
    result = []
    for step in range(1, n):
        if method == 'inclusive':
            place, rest = divmod(step * (size - 1), n)
            result.append((values[place] * (n - rest) + values[place + 1] * rest) / n)
        else:
            place = min(max(step * (size + 1) // n, 1), size - 1)
            rest = step * (size + 1) - place * n
            result.append((values[place - 1] * (n - rest) + values[place] * rest) / n)
    return result


def _pairs(x, y, name):
    first, second = list(x), list(y)
    if len(first) != len(second):
        raise raised(StatisticsError(f'{name} requires that both inputs have same number of data points'))
    if len(first) < 2:
        raise raised(StatisticsError(f'{name} requires at least two data points'))
    a, b = math.fsum(first) / len(first), math.fsum(second) / len(second)
    return (first, second, a, b)


def covariance(x, y, /):
    first, second, a, b = _pairs(x, y, 'covariance')
    return math.fsum([(left - a) * (right - b) for left, right in zip(first, second)]) / (len(first) - 1)


def correlation(x, y, /):
    first, second, a, b = _pairs(x, y, 'correlation')
    both = math.fsum([(left - a) * (right - b) for left, right in zip(first, second)])
    spread = math.fsum([(left - a) * (left - a) for left in first]) * math.fsum(
        [(right - b) * (right - b) for right in second]
    )
    if spread == 0:
        raise raised(StatisticsError('at least one of the inputs is constant'))
    return both / math.sqrt(spread)


def linear_regression(x, y, /, *, proportional=False):
    first, second, a, b = _pairs(x, y, 'linear regression')
    if proportional:
        both = math.fsum([left * right for left, right in zip(first, second)])
        spread = math.fsum([left * left for left in first])
    else:
        both = math.fsum([(left - a) * (right - b) for left, right in zip(first, second)])
        spread = math.fsum([(left - a) * (left - a) for left in first])
    if spread == 0:
        raise raised(StatisticsError('x is constant'))
    slope = both / spread
    return LinearRegression(slope, 0.0 if proportional else b - slope * a)
