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
import traceback
try:
    int('x')
except ValueError as e:
    print(e.__class__.__name__, type(e).__name__, e.__class__ is ValueError, isinstance(e, ValueError))
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
assert 1 == 2, 'numbers differ'
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
f(3)
# ---
try:
    int('x')
except Exception as e:
    print(e.__class__ is ValueError, type(e) is ValueError, type(e) in (KeyError, ValueError), type(e) == KeyError)
