# Exceptions have what they have in Python.
class E(Exception): pass
e = E('a', 1)
print(e.args, str(e), repr(e), type(e).__name__)
# ---
class E(Exception):
    def __init__(self, a, b):
        super().__init__(a, b)
        self.a = a
try:
    raise E(1, 2)
except E as e:
    print(e.a, e.args, str(e), repr(e), isinstance(e, Exception), isinstance(e, ValueError), type(e) is E)
# ---
class E(Exception):
    def __init__(self, a):
        self.a = a
try:
    raise E(1)
except Exception as e:
    print(e.a, e.args, str(e), repr(e))
# ---
class E(ValueError):
    def __str__(self):
        return 'own ' + str(self.args)
try:
    raise E(1)
except ValueError as e:
    print(e, repr(e), f'{e}', f'{e!r}', [e])
# ---
class A(Exception): pass
class B(A): pass
for k in (A, B, ValueError):
    try:
        raise k('x')
    except B as e:
        print('B', e)
    except (A, ValueError) as e:
        print('A', e, type(e).__name__)
# ---
def f():
    class E(Exception): pass
    try:
        raise E('x')
    except E as e:
        return repr(e)
print(f())
# ---
class E(Exception): pass
raise E('a', 1)
# ---
class E(Exception): pass
try:
    raise E
except E as e:
    print(repr(e))
print(e)
# ---
class E(Exception): pass
try:
    try:
        1/0
    except ZeroDivisionError as z:
        raise E('x') from z
except E as e:
    print(repr(e))
# ---
class E(Exception): pass
try:
    try:
        raise E('x')
    except E as e:
        raise
except Exception as f:
    print(repr(f), f is e if False else 1)
# ---
class E(Exception): pass
x = None
try:
    raise E('x')
except E as e:
    x = e
try:
    raise x
except E as y:
    print(x is y)
# ---
class E(Exception): pass
try:
    raise E('x')
except (KeyError, E) as e:
    print(e)
else:
    print('else')
finally:
    print('fin')
# ---
class E(KeyError): pass
try:
    raise E('x')
except E as e:
    print(e, repr(e), str(e))
# ---
class E(OSError): pass
try:
    raise E(2, 'x')
except E as e:
    print(e, repr(e), str(e), e.errno)
# ---
class E(Exception):
    code = 5
    def __init__(self, msg='none', *, code=None):
        super().__init__(msg)
        if code: self.code = code
    @property
    def twice(self):
        return self.code * 2
try:
    raise E('x', code=7)
except E as e:
    print(e, e.code, e.twice)
# ---
class E(Exception):
    @classmethod
    def of(cls, x):
        return cls(f'of {x}')
try:
    raise E.of(3)
except E as e:
    print(e)
# ---
class Base(Exception):
    def __init__(self, msg, code):
        super().__init__(msg)
        self.code = code
class D(Base):
    def __init__(self, msg):
        super().__init__(msg, 42)
    def __str__(self):
        return f'[{self.code}] {super().__str__()}'
try:
    raise D('m')
except Base as e:
    print(e, e.args, repr(e), e.code)
# ---
raise ValueError('a', 1)
# ---
raise KeyError(3)
# ---
raise KeyError('x')
# ---
try:
    raise KeyError(('a', 3))
except KeyError as e:
    print(e, e.args, repr(e))
# ---
def f():
    assert 1 == 2
try:
    f()
except AssertionError as e:
    print(repr(e), str(e) == '')
# ---
try:
    assert [] , ['x']
except AssertionError as e:
    print(e, e.args)
# ---
class W(UserWarning): pass
import warnings
warnings.warn('x', W)
print(1)
# ---
import contextlib
with contextlib.suppress(KeyError):
    {}['x']
print(1)
# ---
async def f():
    raise ValueError('x', 1)
import asyncio
try:
    await f()
except ValueError as e:
    print(e.args)
r = await asyncio.gather(f(), return_exceptions=True)
print(r)
# ---
class E(Exception):
    def __init__(self, n):
        super().__init__(n)
        self.n = n
async def f(n):
    raise E(n)
import asyncio
r = await asyncio.gather(f(1), f(2), return_exceptions=True)
print(r, [x.n for x in r], [isinstance(x, E) for x in r])
# ---
try:
    await fail('x')
except ValueError as e:
    print(type(e).__name__, e.args)
# ---
try:
    next(iter([]))
except StopIteration as e:
    print(repr(e), e.value)
# ---
class K: pass
try:
    K().foo
except AttributeError as e:
    print(e)
# ---
try:
    [1][2]
except LookupError as e:
    print(type(e).__name__, e)
# ---
try:
    raise GeneratorExit
except Exception:
    print(1)
except BaseException:
    print(2)
# ---
try:
    raise Exception({'code': 1})
except Exception as e:
    print(e.args[0]['code'], e)
# ---
try:
    raise ValueError(ValueError('inner'))
except ValueError as e:
    print(e, repr(e), e.args)
# ---
try:
    raise ValueError(f'x {1}')
except ValueError as e:
    raise RuntimeError(f'wrapped {e}') from e
# ---
raise SystemExit(2)
# ---
try:
    raise SystemExit('x')
except SystemExit as e:
    print(e.code)
# ---
try:
    raise ConnectionError('x')
except OSError as e:
    print(type(e).__name__, e.args)
# ---
try:
    raise OSError(2, 'no')
except OSError as e:
    print(type(e).__name__, e.args, e, e.errno, e.strerror)
# ---
try:
    raise TimeoutError
except TimeoutError as e:
    print(repr(e))
# ---
def f():
    try:
        raise ValueError('x')
    finally:
        return 5
print(f())
# ---
def f(x):
    try:
        return 10 / x
    except ZeroDivisionError:
        return 'z'
    else:
        return 'e'
    finally:
        print('f')
print(f(1), f(0))
# ---
class E(Exception): pass
print(issubclass(E, Exception), E.__name__, isinstance(E('x'), Exception))
# ---
errors = []
for x in ['1', 'a']:
    try:
        int(x)
    except Exception as error:
        errors.append(error)
print([str(e) for e in errors], errors)
# ---
class E(Exception):
    pass
def check(x):
    if x > 1:
        raise E(f'bad {x}')
    return x
print([check(1)])
try:
    check(2)
except E as e:
    print(f'{type(e).__name__}: {e}')
check(3)
# ---
class E(Exception):
    pass

try:
    print(E('x').__context__)  ### is not kept here
except E:
    pass
# ---
class E(Exception): pass
class Ctx:
    def __enter__(self): return self
    def __exit__(self, t, e, tb):
        print(t.__name__ if t else None, e, isinstance(e, E))
        return True
with Ctx():
    raise E('x', 2)
with Ctx():
    1/0
with Ctx():
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
class E(Exception): pass
try:
    try:
        raise E(1)
    finally:
        raise E(2)
except E as e:
    print(e.args)
# ---
class E(Exception): pass
def f():
    try:
        raise E(1)
    except E as e:
        try:
            raise E(2) from e
        except E as g:
            return e.args, g.args, g.__cause__ is e
print(f())
# ---
class E(Exception): pass
def f():
    try:
        try:
            raise E(1)
        except ValueError:
            print('no')
    except E:
        raise KeyError('z', 1)
try:
    f()
except KeyError as k:
    print(k, k.args)
# ---
class Err(Exception):
    """Doc."""
    default = 'd'
    def __init__(self, message=None, **details):
        super().__init__(message or self.default)
        self.details = details
    def to_dict(self):
        return {'type': type(self).__name__, 'message': str(self), **self.details}
class NotFound(Err):
    default = 'nf'
    def __init__(self, what):
        self.what = what
        super().__init__(f'{what} not found', what=what)
for c in [lambda: Err(), lambda: NotFound('x'), lambda: Err('m', a=1)]:
    try:
        raise c()
    except NotFound as e:
        print('NF', e.what, e.to_dict(), e.args)
    except Err as e:
        print(e.to_dict(), e.args, repr(e))
# ---
async def risky(n):
    if n % 2:
        raise ValueError(n, 'odd')
    return n
import asyncio
rs = await asyncio.gather(*[risky(i) for i in range(4)], return_exceptions=True)
for r in rs:
    print(r.args if isinstance(r, Exception) else r)
# ---
import asyncio
class E(Exception): pass
async def f():
    raise E('x', 1)
t = asyncio.create_task(f())
try:
    await t
except E as e:
    print(e.args)
print(repr(t.exception()))
# ---
class Retry(Exception): pass
def retry(fn, n):
    last = None
    for i in range(n):
        try:
            return fn(i)
        except Retry as e:
            last = e
            continue
        except (ValueError, TypeError) as e:
            last = e
    raise RuntimeError('failed') from last
def f(i):
    if i < 2: raise Retry(i)
    raise ValueError('v', i)
try:
    retry(f, 3)
except RuntimeError as e:
    print(e, e.__cause__, repr(e.__cause__))
print(retry(lambda i: i, 2))
# ---
e = None
try:
    int('x')
except (TypeError, ValueError) as exc:
    e = exc
print(type(e) is ValueError, type(e) == ValueError, type(e) in (ValueError, KeyError), e.args)
# ---
try:
    raise OSError('plain')
except OSError as e:
    print(e.errno, e, e.args)
# ---
try:
    raise FileNotFoundError(2, 'No such file', 'a.txt')
except OSError as e:
    print(e.errno, e, e.args, e.filename, repr(e))
# ---
class E(Exception):
    def __init__(self, a, b=2):
        self.a, self.b = a, b
    def __str__(self):
        return f'{self.a}/{self.b}'
raise E(1, b=3)
# ---
class E(Exception):
    pass
try:
    raise E('a') from None
except E as e:
    print(e.__cause__)
# ---
try:
    raise ValueError('a', 1) from KeyError('b')
except ValueError as e:
    print(repr(e.__cause__))
# ---
def g():
    try:
        raise KeyError('a', 1)
    except KeyError as e:
        return lambda: e.args if False else 'x'
print(g()())
# ---
class E(Exception): pass
errs = [E(i) for i in range(3)] + [ValueError('q', 1)]
for e in errs:
    try:
        raise e
    except E as x:
        print('E', x.args, x is e)
    except ValueError as x:
        print('V', x.args, x is e)
print(errs)
# ---
class E(Exception): pass
print(E.__name__, E('x') == E('x'), str(E()), repr(E()), bool(E()), len({E('a'), E('a')}))
# ---
try:
    raise 5
except TypeError as e:
    print(e.args)
# ---
class E: pass
try:
    raise E()
except TypeError as e:
    print(e.args)
# ---
d = {'a': 1}
try:
    d['zz']
except KeyError as e:
    print(f'missing {e} {e.args[0]}')
# ---
raise Exception
# ---
class E(Exception): pass
raise E
# ---
class E(Exception): pass
class F(E): pass
def f(): raise F(1, 2)
f()
# ---
try: raise ValueError(1, 2)
except ValueError as e: print(e.args)
else: print('x')
finally: print('f')
# ---
if True:
  try:
    raise ValueError(1, 2)
  except ValueError as e:
    print(e.args)
# ---
class E(ValueError):
    code = 7
    @property
    def double(self): return self.code * 2
    @staticmethod
    def make(x): return E(x)
    @classmethod
    def of(cls, x): return cls(x, 'of')
try:
    raise E.of(1)
except ValueError as e:
    print(e.double, e.args, repr(E.make(2)))
# ---
class E(Exception):
    def __repr__(self): return '<E>'
    def __eq__(self, o): return isinstance(o, E)
print([E(1)], E(1) == E(2), E(1) == 3)
# ---
try:
    raise StopIteration(3)
except StopIteration as e:
    print(e.value)
# ---
class E(Exception): pass
def f(depth):
    if depth == 0: raise E('deep', depth)
    try:
        f(depth - 1)
    except E as e:
        raise E(*e.args, depth) from e
try:
    f(3)
except E as e:
    n = 0
    while e is not None:
        print(e.args)
        e = e.__cause__
        n += 1
    print(n)
# ---
try:
    x = int(input_value) if (input_value := 'z') else 0
except ValueError as err:
    msg, *rest = err.args
    print(msg, rest)
# ---
class E(Exception): pass
x = [E, ValueError, KeyError]
for k in x:
    try:
        raise k('a')
    except tuple(x[:2]) as e:
        print(1, e)
    except KeyError as e:
        print(2, e)
# ---
def f():
    raise NotImplementedError
try:
    f()
except NotImplementedError as e:
    print(repr(e), e.args, str(e) == '')
# ---
try:
    assert False, 'm'
except AssertionError as e:
    print(e.args, e)
# ---
def f(x):
    assert isinstance(x, int), f'bad {x}'
    return x
for v in (1, 'a'):
    try:
        print(f(v))
    except AssertionError as e:
        print(e)
    except Exception as e:
        print('other')
# ---
e = 5
try:
    1/0
except ZeroDivisionError as e:
    print(e.args)
try:
    print(e)
except NameError as n:
    print(n)
# ---
for i in range(3):
    try:
        if i: raise ValueError(i)
        print('ok')
        continue
    except ValueError as e:
        print(e.args)
        if i == 2: break
    finally:
        print('f', i)
else:
    print('no')
# ---
try:
    raise UnicodeError('x')
except ValueError as e:
    print(type(e).__name__, isinstance(e, UnicodeError))
# ---
try:
    b'\xff'.decode()
except UnicodeError as e:
    print(e)
# ---
try:
    int('x')
except UnicodeError as e:
    print(1)
except ValueError as e:
    print(2)
# ---
try:
    raise EOFError('x')
except OSError:
    print(1)
except EOFError as e:
    print(repr(e))
# ---
import warnings
class W(UserWarning): pass
try:
    raise W('x')
except UserWarning as e:
    print(repr(e))
# ---
try:
    raise IOError('x')
except OSError as e:
    print(repr(e), type(e).__name__)
# ---
try:
    raise TimeoutError('x')
except OSError as e:
    print(repr(e), type(e).__name__)
# ---
class E(Exception):
    def __init__(self, msg):
        Exception.__init__(self, msg)
        self.m = msg
try:
    raise E('q')
except E as e:
    print(e.m, e)
# ---
class E(Exception):
    def __str__(self):
        return super().__str__() + '!'
print(E('x'), repr(E('x')))
# ---
class E(Exception):
    def __init__(self, msg):
        super(E, self).__init__(msg)
print(E('x'), repr(E('x')))
# ---
class A(Exception):
    def __init__(self, *args, **kw):
        super().__init__(*args)
        self.kw = kw
class B(A):
    pass
print(repr(B(1, 2, k=3)), B(1, k=4).kw)
# ---
print(isinstance(ValueError(1, 2), Exception), isinstance(ValueError(1), (int, str)), isinstance(3, int))
# ---
x = ValueError('a', 1)
print(x, [x], {'e': x}, f'{x} {x!r}', '%s' % x, '{}'.format(x), str(x), repr(x))
# ---
def f(e: Exception) -> str:
    return f'{type(e).__name__}({e})'
for v in ('1', 'x', None):
    try:
        print(int(v))
    except (ValueError, TypeError) as e:
        print(f(e))
# ---
d = {1: 'a'}
for k in (1, 2, 'x', None, 2.5, (1, 2)):
    try:
        print(d[k])
    except KeyError as e:
        print('missing', e, e.args, repr(e))
# ---
s = {1}
try:
    s.remove(5)
except KeyError as e:
    print(e)
# ---
d = {}
try:
    d.pop(5)
except KeyError as e:
    print(e, e.args)
# ---
d = {1: {2: 3}}
try:
    d[1][7]
except KeyError as e:
    print(e.args[0] + 1)
# ---
d = {}
d[5]
# ---
d = {}
d['k']
# ---
items = also = [1]
items += (2, 3)
items += {4: 5}
items += (x for x in [9])
items += range(2)
class K: pass
k = K()
k.xs = []
k.xs += (1, 2)
d = {'a': [1]}
d['a'] += (2,)
t = (1,)
t += (2,)
items, items is also, k.xs, d, t
# ---
def numbers():
    yield 1
    return 5

it = numbers()
next(it)
try:
    next(it)
except StopIteration as end:
    print(end.value)
# ---
# Several items between the brackets are one key.
grid = {(row, column): row * column for row in range(2) for column in range(2)}
def at(row, column):
    return grid[row, column], grid[(row), column], grid[(row, column)]
try:
    print(at(1, 1))
    grid[5, 6]
except KeyError as error:
    print(error, error.args)
# ---
# until 3.11
def t(f):
    try: f()
    except Exception as e: print(type(e).__name__, e); print(repr(e))
import math
t(lambda: max([])); t(lambda: min(())); t(lambda: {[]: 1}); t(lambda: {}.popitem()); t(lambda: math.sqrt(-1)); t(lambda: math.log(0)); t(lambda: 0 ** -1); t(lambda: {}[[]]); t(lambda: hash([])); t(lambda: bytes([300])); t(lambda: math.acos(2))
def u():
    a, b = [1, 2, 3]
t(u)
try:
    a, b = [1, 2, 3]
except ValueError as e:
    for x in [1]:
        print(e)
try:
    try: {[]}
    except TypeError as e: print(e); raise
except TypeError as e2: print(e2, isinstance(e2, TypeError))
# ---
# until 3.11
class E(Exception): pass
try:
    a, b = [1, 2, 3]
except ValueError as e: print(e, e.args)
try: {}.popitem()
except KeyError as e: print(e, e.args)
try: max([])
except ValueError as e: print(e); x = e
print(repr(x))
