"""CPython's own functions, on the host."""

from .arguments import plain

StatisticsError = ValueError




def linear_regression(x, y, /, **options):
    return _LinearRegression(*_host__('statistics.linear_regression', plain(x), plain(y), **options))


class NormalDist:
    def __init__(self, mu=0.0, sigma=1.0):
        if sigma < 0.0:
            raise StatisticsError('sigma must be non-negative')
        self.mean = self.median = self.mode = float(mu)
        self.stdev = float(sigma)
        self.variance = self.stdev**2

    def pdf(self, x): return _host__('statistics.NormalDist', self.mean, self.stdev, 'pdf', x)
    def cdf(self, x): return _host__('statistics.NormalDist', self.mean, self.stdev, 'cdf', x)
    def inv_cdf(self, p): return _host__('statistics.NormalDist', self.mean, self.stdev, 'inv_cdf', p)
    def zscore(self, x): return _host__('statistics.NormalDist', self.mean, self.stdev, 'zscore', x)
    def quantiles(self, n=4): return _host__('statistics.NormalDist', self.mean, self.stdev, 'quantiles', n)
    def __repr__(self): return f'NormalDist(mu={self.mean!r}, sigma={self.stdev!r})'
    def __eq__(self, other): return isinstance(other, NormalDist) and (self.mean, self.stdev) == (other.mean, other.stdev)
    def __hash__(self): return hash((self.mean, self.stdev))


def _from_samples(data):
    data = plain(data)
    return NormalDist(_host__('statistics.mean', data), _host__('statistics.stdev', data))


NormalDist.from_samples = _from_samples
from collections import namedtuple

_LinearRegression = namedtuple('LinearRegression', 'slope intercept')
