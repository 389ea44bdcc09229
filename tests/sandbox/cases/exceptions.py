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
try:
    raise ExceptionGroup('g', [ValueError(1)])  ### There is no ExceptionGroup here
except ValueError:
    pass
