"""Statistics functions, which run in CPython on the host."""

from collections import namedtuple

from .host import plain

StatisticsError = ValueError
_LinearRegression = namedtuple('LinearRegression', 'slope intercept')


def linear_regression(x, y, /, **options):
    return _LinearRegression(*_host__('statistics.linear_regression', plain(x), plain(y), **options))
