# Exceptions have what they have in Python.
class E(Exception): pass
e = E('a', 1)
print(e.args, str(e), repr(e), type(e).__name__)
# ---
class E(Exception):
    def __init__(self, a):
        self.a = a
try:
    raise E(1)
except Exception as e:
    print(e.a, e.args, str(e), repr(e))  ### Object of type Exception has no attribute a
# ---
class E(ValueError):
    def __str__(self):
        return 'own ' + str(self.args)
try:
    raise E(1)
except ValueError as e:
    print(e, repr(e), f'{e}', f'{e!r}', [e])
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
class E(KeyError): pass
try:
    raise E('x')
except E as e:
    print(e, repr(e), str(e))
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
raise KeyError('x')
# ---
try:
    raise KeyError(('a', 3))
except KeyError as e:
    print(e, e.args, repr(e))
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
    raise Exception({'code': 1})
except Exception as e:
    print(e.args[0]['code'], e)
# ---
try:
    raise ValueError(ValueError('inner'))
except ValueError as e:
    print(e, repr(e), e.args)
# ---
raise SystemExit(2)
# ---
try:
    raise ConnectionError('x')
except OSError as e:
    print(type(e).__name__, e.args)
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
    print(E('x').__context__)  ### There is no __context__ here
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
e = None
try:
    int('x')
except (TypeError, ValueError) as exc:
    e = exc
print(type(e) is ValueError, type(e) == ValueError, type(e) in (ValueError, KeyError), e.args)
# ---
class E(Exception):
    def __init__(self, a, b=2):
        self.a, self.b = a, b
    def __str__(self):
        return f'{self.a}/{self.b}'
raise E(1, b=3)
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
print(E.__name__, E('x') == E('x'), str(E()), repr(E()), bool(E()), len({E('a'), E('a')}))
# ---
try:
    raise 5
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
class F(E): pass
def f(): raise F(1, 2)
f()
# ---
try: raise ValueError(1, 2)
except ValueError as e: print(e.args)
else: print('x')
finally: print('f')
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
    def __str__(self):
        return super().__str__() + '!'
print(E('x'), repr(E('x')))
# ---
class E(Exception):
    def __init__(self, msg):
        super(E, self).__init__(msg)
print(E('x'), repr(E('x')))
# ---
print(isinstance(ValueError(1, 2), Exception), isinstance(ValueError(1), (int, str)), isinstance(3, int))
# ---
x = ValueError('a', 1)
print(x, [x], {'e': x}, f'{x} {x!r}', '%s' % x, '{}'.format(x), str(x), repr(x))
# ---
d = {}
d[5]
# ---
d = {}
d['k']
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
