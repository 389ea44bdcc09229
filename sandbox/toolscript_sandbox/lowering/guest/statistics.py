"""The parts of `statistics` that need no other number type than int and float."""

import math
from collections import namedtuple


def _data(data):
    values = list(data)
    if not values:
        raise ValueError('statistics of no data: at least one value is needed')
    return values


def mean(data):
    values = _data(data)
    total = sum(values)
    return total // len(values) if isinstance(total, int) and total % len(values) == 0 else total / len(values)


def fmean(data, weights=None):
    values = _data(data)
    if weights is None:
        return math.fsum(values) / len(values)
    shares = list(weights)
    return math.fsum([value * share for value, share in zip(values, shares)]) / math.fsum(shares)


def geometric_mean(data):
    return math.exp(fmean([math.log(value) for value in data]))


def harmonic_mean(data):
    values = _data(data)
    return len(values) / sum([1 / value for value in values])


def median(data):
    values = sorted(_data(data))
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def median_low(data):
    values = sorted(_data(data))
    return values[(len(values) - 1) // 2]


def median_high(data):
    values = sorted(_data(data))
    return values[len(values) // 2]


def multimode(data):
    counts = {}
    for value in data:
        counts[value] = counts.get(value, 0) + 1
    most = max(counts.values(), default=0)
    return [value for value, count in counts.items() if count == most]


def mode(data):
    return multimode(_data(data))[0]


def _squares(values, center):
    return math.fsum([(value - center) ** 2 for value in values])


def _whole(value):
    return int(value) if value == int(value) else value


def pvariance(data, mu=None):
    values = _data(data)
    center = sum(values) / len(values) if mu is None else mu
    result = _squares(values, center) / len(values)
    return _whole(result) if all([isinstance(value, int) for value in values]) else result


def variance(data, xbar=None):
    values = list(data)
    if len(values) < 2:
        raise ValueError('variance requires at least two data points')
    center = sum(values) / len(values) if xbar is None else xbar
    result = _squares(values, center) / (len(values) - 1)
    return _whole(result) if all([isinstance(value, int) for value in values]) else result


def stdev(data, xbar=None):
    return math.sqrt(variance(data, xbar))


def pstdev(data, mu=None):
    return math.sqrt(pvariance(data, mu))


def quantiles(data, n=4, method='exclusive'):
    values = sorted(data)
    size = len(values)
    if size < 2:
        raise ValueError('must have at least two data points')
    result = []
    for step in range(1, n):
        if method == 'inclusive':
            place, rest = divmod(step * (size - 1), n)
            result.append((values[place] * (n - rest) + values[min(place + 1, size - 1)] * rest) / n)
        else:
            place = min(max(step * (size + 1) // n, 1), size - 1)
            rest = step * (size + 1) - place * n
            result.append((values[place - 1] * (n - rest) + values[place] * rest) / n)
    return result


def covariance(x, y):
    first, second = list(x), list(y)
    a, b = fmean(first), fmean(second)
    return math.fsum([(left - a) * (right - b) for left, right in zip(first, second)]) / (len(first) - 1)


def correlation(x, y):
    first, second = list(x), list(y)
    spread = math.sqrt(_squares(first, fmean(first)) * _squares(second, fmean(second)))
    if spread == 0:
        raise ValueError('at least one of the inputs is constant')
    return covariance(first, second) * (len(first) - 1) / spread


LinearRegression = namedtuple('LinearRegression', ['slope', 'intercept'])


def linear_regression(x, y, *, proportional=False):
    across, along = (0, 0) if proportional else (fmean(x), fmean(y))
    slope = sum([(a - across) * (b - along) for a, b in zip(x, y)]) / sum([(a - across) ** 2 for a in x])
    return LinearRegression(slope, along - slope * across)
