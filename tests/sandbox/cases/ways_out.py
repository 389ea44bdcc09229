# Ways out of blocks and functions: returns, exceptions, generators that are left, and the end of the script.
def f():
    try:
        return 'try'
    finally:
        return 'finally'
def g():
    for i in range(3):
        try:
            if i == 1: break
        finally:
            print('f', i)
    else:
        print('else')
    return i
def h():
    while True:
        try:
            1 / 0
        except ZeroDivisionError:
            continue
        finally:
            break
    return 'out'
print(f(), g(), h())
# ---
try:
    try:
        raise ValueError('a')
    finally:
        print('cleanup')
        raise KeyError('b')
except KeyError as e:
    print(repr(e))
# ---
class Ctx:
    def __init__(self, swallow): self.swallow = swallow
    def __enter__(self): return self
    def __exit__(self, t, v, tb): return self.swallow
def f():
    with Ctx(True):
        raise ValueError
    return 'after'
def g():
    with Ctx(True) as a, Ctx(False) as b:
        return 1 / 0
print(f(), g())
# ---
import contextlib
@contextlib.contextmanager
def transaction(log):
    log.append('begin')
    try:
        yield log
    except Exception as e:
        log.append(f'rollback {e}')
        raise
    else:
        log.append('commit')
    finally:
        log.append('close')
log = []
with transaction(log) as l: l.append('work')
try:
    with transaction(log): raise RuntimeError('oops')
except RuntimeError: pass
print(log)
# ---
def gen():
    received = []
    try:
        while True:
            x = yield len(received)
            if x is None: continue
            received.append(x)
    except GeneratorExit:
        print('exit', received)
        raise
    finally:
        print('finally')
g = gen()
print(next(g), g.send('a'), g.send('b'), next(g))
g.close()
try:
    next(g)
except StopIteration: print('stopped')
# ---
def sub():
    try:
        x = yield 1
        print('sub got', x)
    except ValueError as e:
        print('sub caught', e)
        yield 'handled'
    return 'result'
def main():
    r = yield from sub()
    print('r', r)
    yield 'end'
g = main()
print(next(g))
print(g.throw(ValueError('t')))
print(next(g))
g = main()
next(g)
print(g.send('hello'))
# ---
class ValidationError(ValueError):
    def __init__(self, field, message):
        self.field = field
        self.message = message
        super().__init__(f'{field}: {message}')
    def to_dict(self): return {'field': self.field, 'message': self.message}
def validate(d):
    errors = []
    for k, check in {'name': str, 'age': int}.items():
        try:
            if k not in d: raise ValidationError(k, 'missing')
            if not isinstance(d[k], check): raise ValidationError(k, f'expected {check.__name__}')
        except ValidationError as e:
            errors.append(e)
    return [e.to_dict() for e in errors], [str(e) for e in errors], errors
print(validate({'name': 5}), validate({'name': 'x', 'age': 1}))
# ---
def a():
    raise ValueError('deep')
def b():
    try: a()
    except ValueError as e: raise RuntimeError('b failed') from e
def c():
    try: b()
    except RuntimeError as e: raise LookupError('c failed') from e
try: c()
except LookupError as e:
    while e:
        print(type(e).__name__, e)
        e = e.__cause__
# ---
try:
    raise ValueError('first', {'code': 3})
except ValueError as e:
    msg, info = e.args
    print(msg, info['code'])
    e.args = ('changed',)
    print(e, repr(e))
# ---
def f():
    try:
        yield 1
    except ValueError:
        yield 'caught'
    yield 2
g = f()
next(g)
try:
    print(g.throw(ValueError, ValueError('x')))
except TypeError as e: print('T', e)
# ---
import traceback
try:
    int('x')
except ValueError as e:
    print(e.__class__.__name__, type(e).__name__, e.__class__ is ValueError, isinstance(e, ValueError))
# ---
class Stack(Exception):
    pass
def recurse(n):
    if n == 0: raise Stack('bottom')
    try:
        recurse(n - 1)
    except Stack as e:
        e.args = (f'{e.args[0]} <- {n}',)
        raise
try: recurse(3)
except Stack as e: print(e)
# ---
x = None
try:
    x.foo()
except AttributeError as e:
    print(e)
try:
    x[0]
except TypeError as e:
    print(e)
try:
    undefined_name
except NameError as e:
    print(e)
# ---
def f(*, strict=True):
    try:
        value = int('12x')
    except ValueError:
        if strict:
            raise
        value = 0
    return value
print(f(strict=False))
try: f()
except ValueError as e: print(e)
# ---
raise KeyError('missing')
# ---
assert 1 == 2, 'numbers differ'
# ---
class AppError(Exception):
    status = 500
    def __init__(self, message, **context):
        super().__init__(message)
        self.context = context
    def __str__(self):
        base = super().__str__()
        return f'{base} {self.context}' if self.context else base
class NotFound(AppError):
    status = 404
for e in (AppError('a'), NotFound('b', id=3)):
    try:
        raise e
    except NotFound as n:
        print('nf', n, n.status, n.context['id'])
    except AppError as a:
        print('app', a, a.status)
# ---
import json
try:
    json.loads('{bad')
except json.JSONDecodeError as e:
    print(type(e).__name__, e.msg, e.pos, e.lineno, e.colno, isinstance(e, ValueError))
except ValueError as e:
    print('value')
# ---
import sys
def f(n):
    try:
        if n: sys.exit(n)  ### There is no sys.exit here
    except Exception:
        print('no')
    finally:
        print('finally')
f(0)
f(3)
# ---
try:
    int('x')
except Exception as e:
    print(e.__class__ is ValueError, type(e) is ValueError, type(e) in (KeyError, ValueError), type(e) == KeyError)
# ---
def f():
    try:
        yield 1
    except ValueError as e:
        yield f'caught {e}'
g = f()
next(g)
print(g.throw(ValueError, ValueError('x')))
