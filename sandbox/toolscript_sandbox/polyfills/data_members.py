"""Members of enumerations that are texts or numbers too: all methods and signs of their values."""

DATA = {'str': str, 'StrEnum': str, 'int': int, 'IntEnum': int, 'IntFlag': int}


def plain(value):
    """The text or number that a member is."""
    kind = type(value)
    return value._value_ if hasattr(kind, '_members_') and kind._members_._kind in DATA else value


class TextMember:
    def __eq__(self, other):
        return self._value_ == plain(other)

    def __hash__(self):
        return hash(self._value_)

    def __lt__(self, other):
        return self._value_ < plain(other) if isinstance(plain(other), str) else NotImplemented

    def __le__(self, other):
        return self._value_ <= plain(other) if isinstance(plain(other), str) else NotImplemented

    def __gt__(self, other):
        return self._value_ > plain(other) if isinstance(plain(other), str) else NotImplemented

    def __ge__(self, other):
        return self._value_ >= plain(other) if isinstance(plain(other), str) else NotImplemented

    def __add__(self, other):
        return self._value_ + plain(other)

    def __radd__(self, other):
        return other + self._value_

    def __mul__(self, other):
        return self._value_ * other

    def __mod__(self, other):
        return self._value_ % other

    def __contains__(self, part):
        return plain(part) in self._value_

    def __getitem__(self, place):
        return self._value_[place]

    def __iter__(self):
        return iter(self._value_)

    def __len__(self):
        return len(self._value_)

    def __bool__(self):
        return self._value_ != ''

    def __int__(self):
        return int(self._value_)

    def __float__(self):
        return float(self._value_)

    def capitalize(self):
        return self._value_.capitalize()

    def casefold(self):
        return self._value_.casefold()

    def center(self, *args):
        return self._value_.center(*args)

    def count(self, *args):
        return self._value_.count(*args)

    def encode(self, *args):
        return self._value_.encode(*args)

    def endswith(self, *args):
        return self._value_.endswith(*args)

    def find(self, *args):
        return self._value_.find(*args)

    def format(self, *args, **kwargs):
        return self._value_.format(*args, **kwargs)

    def index(self, *args):
        return self._value_.index(*args)

    def isalnum(self):
        return self._value_.isalnum()

    def isalpha(self):
        return self._value_.isalpha()

    def isdigit(self):
        return self._value_.isdigit()

    def islower(self):
        return self._value_.islower()

    def isupper(self):
        return self._value_.isupper()

    def join(self, items):
        return self._value_.join(map(plain, items))

    def ljust(self, *args):
        return self._value_.ljust(*args)

    def lower(self):
        return self._value_.lower()

    def lstrip(self, *args):
        return self._value_.lstrip(*args)

    def partition(self, separator):
        return self._value_.partition(separator)

    def removeprefix(self, prefix):
        return self._value_.removeprefix(prefix)

    def removesuffix(self, suffix):
        return self._value_.removesuffix(suffix)

    def replace(self, *args):
        return self._value_.replace(*args)

    def rfind(self, *args):
        return self._value_.rfind(*args)

    def rjust(self, *args):
        return self._value_.rjust(*args)

    def rpartition(self, separator):
        return self._value_.rpartition(separator)

    def rsplit(self, *args, **kwargs):
        return self._value_.rsplit(*args, **kwargs)

    def rstrip(self, *args):
        return self._value_.rstrip(*args)

    def split(self, *args, **kwargs):
        return self._value_.split(*args, **kwargs)

    def startswith(self, *args):
        return self._value_.startswith(*args)

    def strip(self, *args):
        return self._value_.strip(*args)

    def swapcase(self):
        return self._value_.swapcase()

    def title(self):
        return self._value_.title()

    def upper(self):
        return self._value_.upper()

    def zfill(self, width):
        return self._value_.zfill(width)


OF_TEXTS = (
    '__eq__ __hash__ __lt__ __le__ __gt__ __ge__ __add__ __radd__ __mul__ __mod__ __contains__ __getitem__ __iter__ '
    '__len__ __bool__ __int__ __float__ capitalize casefold center count encode endswith find format index isalnum isalpha '
    'isdigit islower isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind rjust rpartition '
    'rsplit rstrip split startswith strip swapcase title upper zfill'
).split()


class NumberMember:
    def __eq__(self, other):
        return self._value_ == plain(other)

    def __hash__(self):
        return hash(self._value_)

    def __lt__(self, other):
        return self._value_ < plain(other) if isinstance(plain(other), (int, float)) else NotImplemented

    def __le__(self, other):
        return self._value_ <= plain(other) if isinstance(plain(other), (int, float)) else NotImplemented

    def __gt__(self, other):
        return self._value_ > plain(other) if isinstance(plain(other), (int, float)) else NotImplemented

    def __ge__(self, other):
        return self._value_ >= plain(other) if isinstance(plain(other), (int, float)) else NotImplemented

    def __add__(self, other):
        return self._value_ + plain(other)

    def __radd__(self, other):
        return other + self._value_

    def __sub__(self, other):
        return self._value_ - plain(other)

    def __rsub__(self, other):
        return other - self._value_

    def __mul__(self, other):
        return self._value_ * plain(other)

    def __rmul__(self, other):
        return other * self._value_

    def __truediv__(self, other):
        return self._value_ / plain(other)

    def __rtruediv__(self, other):
        return other / self._value_

    def __floordiv__(self, other):
        return self._value_ // plain(other)

    def __rfloordiv__(self, other):
        return other // self._value_

    def __mod__(self, other):
        return self._value_ % plain(other)

    def __rmod__(self, other):
        return other % self._value_

    def __pow__(self, other):
        return self._value_ ** plain(other)

    def __rpow__(self, other):
        return other**self._value_

    def __and__(self, other):
        return self._value_ & plain(other)

    def __rand__(self, other):
        return other & self._value_

    def __or__(self, other):
        return self._value_ | plain(other)

    def __ror__(self, other):
        return other | self._value_

    def __xor__(self, other):
        return self._value_ ^ plain(other)

    def __rxor__(self, other):
        return other ^ self._value_

    def __lshift__(self, other):
        return self._value_ << plain(other)

    def __rlshift__(self, other):
        return other << self._value_

    def __rshift__(self, other):
        return self._value_ >> plain(other)

    def __neg__(self):
        return -self._value_

    def __pos__(self):
        return self._value_

    def __abs__(self):
        return abs(self._value_)

    def __invert__(self):
        return ~self._value_

    def __round__(self, digits=None):
        return self._value_

    def __int__(self):
        return self._value_

    def __index__(self):
        return self._value_

    def __float__(self):
        return float(self._value_)

    def __bool__(self):
        return self._value_ != 0

    def bit_length(self):
        return self._value_.bit_length()


OF_NUMBERS = (
    '__eq__ __hash__ __lt__ __le__ __gt__ __ge__ __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ '
    '__rtruediv__ __floordiv__ __rfloordiv__ __mod__ __rmod__ __pow__ __rpow__ __and__ __rand__ __or__ __ror__ __xor__ '
    '__rxor__ __lshift__ __rlshift__ __rshift__ __neg__ __pos__ __abs__ __invert__ __round__ __int__ __index__ __float__ '
    '__bool__ bit_length'
).split()
