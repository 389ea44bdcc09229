"""What Monty's `math` rounds otherwise than the C library that Python stands on."""

import math


def atanh(x, /):
    size = abs(x)
    if not 2**-28 <= size < 1:
        return math.atanh(x)
    if size < 0.5:
        found = 0.5 * math.log1p(size + size + (size + size) * size / (1 - size))
    else:
        found = 0.5 * math.log1p((size + size) / (1 - size))
    return math.copysign(found, x)


def erf(x, /):
    size = math.fabs(x)
    if size != size:
        return size
    if size < 2**-1015:
        return 0.0625 * (16 * x + 16 * _EFX * x)
    if size < 0.84375:
        return x + x * (_EFX if size < 2**-28 else _ratio(size * size, _PP, _QQ))
    if size < 1.25:
        found = _ERX + _ratio(size - 1, _PA, _QA)
    else:
        found = 1.0 if size >= 6 else 1 - _tail(size) / size
    return math.copysign(found, x)


def erfc(x, /):
    size = math.fabs(x)
    if size != size:
        return size
    if size < 0.84375:
        if size < 2**-56:
            return 1.0 - x
        ratio = _ratio(size * size, _PP, _QQ)
        return 1 - (x + x * ratio) if x < 0.25 else 0.5 - (x * ratio + (x - 0.5))
    if size < 1.25:
        ratio = _ratio(size - 1, _PA, _QA)
        return (1 - _ERX) - ratio if x > 0 else 1 + (_ERX + ratio)
    if x > 0:
        return _tail(size) / size if size < 28 else 0.0
    return 2 - _tail(size) / size if size < 6 else 2.0


def _tail(size):
    over = 1 / (size * size)
    ratio = _ratio(over, _RA, _SA) if size < _LATE else _ratio(over, _RB, _SB)
    part, places = math.frexp(size)
    short = math.ldexp(math.floor(part * 2**21) / 2**21, places)
    return math.exp(-short * short - 0.5625) * math.exp((short - size) * (short + size) + ratio)


def _ratio(x, above, below):
    return _sum(x, above) / _sum(x, below)


def _sum(x, factors):
    """A polynomial, two factors at a time: in this order the C library adds them."""
    square = x * x
    fourth = square * square
    powers = (1.0, square, fourth, fourth * square, fourth * fourth)
    found = 0.0
    for place in range(0, len(factors), 2):
        pair = factors[place] + x * factors[place + 1] if place + 1 < len(factors) else factors[place]
        found = pair if place == 0 else found + powers[place // 2] * pair
    return found


def gamma(x, /):
    size = math.fabs(x)
    if size != size or x == math.inf:
        return x * 1.0
    if x == -math.inf or x == 0 or (x < 0 and x == math.floor(x)):
        raise ValueError('math domain error')
    if x == math.floor(x) and x <= 23:
        return float(math.factorial(int(x) - 1))
    if size < 1e-20:
        return _in_range(1 / x)
    if size > 200:
        return _in_range(0.0 / _sine(x) if x < 0 else math.inf)
    y = size + _G_HALF
    z = ((y - size) - _G_HALF if size > _G_HALF else (y - _G_HALF) - size) * _G / y
    found = -math.pi / _sine(size) / size * math.exp(y) / _lanczos(size) if x < 0 else _lanczos(size) / math.exp(y)
    found = found - z * found if x < 0 else found + z * found
    for power in [size - 0.5] if size < 140 else [size / 2 - 0.25] * 2:
        found = found / math.pow(y, power) if x < 0 else found * math.pow(y, power)
    return _in_range(found)


def lgamma(x, /):
    size = math.fabs(x)
    if size != size or size == math.inf:
        return size
    if x == math.floor(x) and x <= 2:
        if x <= 0:
            raise ValueError('math domain error')
        return 0.0
    if size < 1e-20:
        return -math.log(size)
    found = math.log(_lanczos(size)) - _G
    found += (size - 0.5) * (math.log(size + _G - 0.5) - 1)
    if x < 0:
        found = _LOG_PI - math.log(math.fabs(_sine(size))) - math.log(size) - found
    return _in_range(found)


def _in_range(value):
    if math.isinf(value):
        raise OverflowError('math range error')
    return value


def _sine(x):
    """The sine of `pi * x`."""
    y = math.fmod(math.fabs(x), 2.0)
    place = math.floor(2 * y + 0.5)
    if place == 1:
        found = math.cos(math.pi * (y - 0.5))
    elif place == 3:
        found = -math.cos(math.pi * (y - 1.5))
    else:
        found = math.sin(math.pi * (y if place == 0 else 1 - y if place == 2 else y - 2))
    return math.copysign(1.0, x) * found


def _lanczos(x):
    above = below = 0.0
    if x < 5:
        for place in range(12, -1, -1):
            above = above * x + _ABOVE[place]
            below = below * x + _BELOW[place]
    else:
        for place in range(13):
            above = above / x + _ABOVE[place]
            below = below / x + _BELOW[place]
    return above / below


# The numbers of Sun's `erf`, which C libraries have, and of Python's own `gamma`.
_ERX = 8.45062911510467529297e-01
_EFX = 1.28379167095512586316e-01
_LATE = 2.8571414947509766
_PP = (
    1.28379167095512558561e-01,
    -3.25042107247001499370e-01,
    -2.84817495755985104766e-02,
    -5.77027029648944159157e-03,
    -2.37630166566501626084e-05,
)
_QQ = (
    1.0,
    3.97917223959155352819e-01,
    6.50222499887672944485e-02,
    5.08130628187576562776e-03,
    1.32494738004321644526e-04,
    -3.96022827877536812320e-06,
)
_PA = (
    -2.36211856075265944077e-03,
    4.14856118683748331666e-01,
    -3.72207876035701323847e-01,
    3.18346619901161753674e-01,
    -1.10894694282396677476e-01,
    3.54783043256182359371e-02,
    -2.16637559486879084300e-03,
)
_QA = (
    1.0,
    1.06420880400844228286e-01,
    5.40397917702171048937e-01,
    7.18286544141962662868e-02,
    1.26171219808761642112e-01,
    1.36370839120290507362e-02,
    1.19844998467991074170e-02,
)
_RA = (
    -9.86494403484714822705e-03,
    -6.93858572707181764372e-01,
    -1.05586262253232909814e01,
    -6.23753324503260060396e01,
    -1.62396669462573470355e02,
    -1.84605092906711035994e02,
    -8.12874355063065934246e01,
    -9.81432934416914548592e00,
)
_SA = (
    1.0,
    1.96512716674392571292e01,
    1.37657754143519042600e02,
    4.34565877475229228821e02,
    6.45387271733267880336e02,
    4.29008140027567833386e02,
    1.08635005541779435134e02,
    6.57024977031928170135e00,
    -6.04244152148580987438e-02,
)
_RB = (
    -9.86494292470009928597e-03,
    -7.99283237680523006574e-01,
    -1.77579549177547519889e01,
    -1.60636384855821916062e02,
    -6.37566443368389627722e02,
    -1.02509513161107724954e03,
    -4.83519191608651397019e02,
)
_SB = (
    1.0,
    3.03380607434824582924e01,
    3.25792512996573918826e02,
    1.53672958608443695994e03,
    3.19985821950859553908e03,
    2.55305040643316442583e03,
    4.74528541206955367215e02,
    -2.24409524465858183362e01,
)
_G = 6.024680040776729583740234375
_G_HALF = 5.524680040776729583740234375
_LOG_PI = 1.144729885849400174143427351353058711647
_ABOVE = (
    23531376880.410759688572007674451636754734846804940,
    42919803642.649098768957899047001988850926355848959,
    35711959237.355668049440185451547166705960488635843,
    17921034426.037209699919755754458931112671403265390,
    6039542586.3520280050642916443072979210699388420708,
    1439720407.3117216736632230727949123939715485786372,
    248874557.86205415651146038641322942321632125127801,
    31426415.585400194380614231628318205362874684987640,
    2876370.6289353724412254090516208496135991145378768,
    186056.26539522349504029498971604569928220784236328,
    8071.6720023658162106380029022722506138218516325024,
    210.82427775157934587250973392071336271166969580291,
    2.5066282746310002701649081771338373386264310793408,
)
_BELOW = (
    0.0,
    39916800.0,
    120543840.0,
    150917976.0,
    105258076.0,
    45995730.0,
    13339535.0,
    2637558.0,
    357423.0,
    32670.0,
    1925.0,
    66.0,
    1.0,
)
