class E(Exception):
    def __init__(self, a):
        self.a = a
try:
    raise E(1)
except Exception as e:
    print(e.a, e.args, str(e), repr(e))
# ---
class E(Exception): pass
raise E('a', 1)
# ---
raise KeyError('x')
# ---
class W(UserWarning): pass
import warnings
warnings.warn('x', W)
print(1)
# ---
raise SystemExit(2)
# ---
class E(Exception):
    pass

try:
    print(E('x').__context__)  ### There is no __context__ here
except E:
    pass
# ---
from contextlib import suppress
class E(Exception): pass
class F(E): pass
with suppress(E, KeyError):
    raise F('x')
with suppress(E):
    raise ValueError('y')
# ---
try:
    raise ValueError('a', 1) from KeyError('b')
except ValueError as e:
    print(repr(e.__cause__))
# ---
class E(Exception):
    def __repr__(self): return '<E>'
    def __eq__(self, o): return isinstance(o, E)
print([E(1)], E(1) == E(2), E(1) == 3)
# ---
try:
    assert False, 'm'
except AssertionError as e:
    print(e.args, e)
# ---
try:
    raise IOError('x')
except OSError as e:
    print(repr(e), type(e).__name__)
# ---
class E(Exception):
    def __init__(self, msg):
        super(E, self).__init__(msg)
print(E('x'), repr(E('x')))
# ---
print(isinstance(ValueError(1, 2), Exception), isinstance(ValueError(1), (int, str)), isinstance(3, int))
# ---
d = {}
d[5]
# ---
class Base(Exception):
    def __init__(self, code, *, hint=None):
        self.code = code
        self.hint = hint
class Sub(Base):
    def __init__(self, name):
        super().__init__(404, hint='h')
        self.name = name
class Mid(Base): pass
for make in (lambda: Base(1), lambda: Base(code=1), lambda: Sub('n'), lambda: Mid(3, hint=2)):
    try:
        raise make()
    except Base as e:
        print(type(e).__name__, e.args, str(e), repr(e), e.code, e.hint)
