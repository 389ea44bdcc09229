"""CPython's own functions, on the host."""

from .arguments import plain

StatisticsError = ValueError


def correlation(x, y, /): return _host__('statistics.correlation', plain(x), plain(y))
def covariance(x, y, /): return _host__('statistics.covariance', plain(x), plain(y))
def fmean(data, weights=None): return _host__('statistics.fmean', plain(data), *([] if weights is None else [plain(weights)]))
def geometric_mean(data): return _host__('statistics.geometric_mean', plain(data))
def harmonic_mean(data, weights=None): return _host__('statistics.harmonic_mean', plain(data), plain(weights))
def mean(data): return _host__('statistics.mean', plain(data))
def median(data): return _host__('statistics.median', plain(data))
def median_grouped(data, interval=1): return _host__('statistics.median_grouped', plain(data), interval)
def median_high(data): return _host__('statistics.median_high', plain(data))
def median_low(data): return _host__('statistics.median_low', plain(data))
def mode(data): return _host__('statistics.mode', plain(data))
def multimode(data): return _host__('statistics.multimode', plain(data))
def pstdev(data, mu=None): return _host__('statistics.pstdev', plain(data), mu)
def pvariance(data, mu=None): return _host__('statistics.pvariance', plain(data), mu)
def quantiles(data, *, n=4, method='exclusive'): return _host__('statistics.quantiles', plain(data), n=n, method=method)
def stdev(data, xbar=None): return _host__('statistics.stdev', plain(data), xbar)
def variance(data, xbar=None): return _host__('statistics.variance', plain(data), xbar)


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
    return NormalDist(mean(data), stdev(data))


NormalDist.from_samples = _from_samples
from collections import namedtuple

_LinearRegression = namedtuple('LinearRegression', 'slope intercept')
