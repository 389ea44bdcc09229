# Groups of exceptions, and `except*`.
try:
    raise ExceptionGroup('g', [ValueError(1), TypeError('t')])
except* ValueError as eg:
    print('V', eg.exceptions, repr(eg), str(eg))
except* TypeError as eg:
    print('T', eg.exceptions)
try:
    eg
except NameError as e:
    print(e)
# ---
try:
    try:
        raise ExceptionGroup('g', [ValueError(1), TypeError('t'), ExceptionGroup('n', [ValueError(2), KeyError('k')])])
    except* ValueError as eg:
        print('V', eg.exceptions)
except ExceptionGroup as g:
    print(repr(g), str(g), g.exceptions, g.message, g.args)
# ---
try:
    try:
        raise ExceptionGroup('g', [ValueError(1), TypeError('t')])
    except* ValueError:
        raise KeyError('new')
except ExceptionGroup as g:
    print(repr(g), str(g), g.exceptions)
# ---
try:
    try:
        raise ExceptionGroup('g', [ValueError(1)])
    except* ValueError:
        raise KeyError('new')
except BaseException as g:
    print(repr(g))
# ---
try:
    try:
        raise ExceptionGroup('g', [ValueError(1), TypeError(2)])
    except* ValueError:
        raise
    except* TypeError as e:
        print('T', repr(e))
except BaseException as g:
    print(repr(g))
# ---
try:
    try:
        raise ExceptionGroup('g', [ValueError(1), TypeError(2)])
    except* ValueError as e:
        raise e
except BaseException as g:
    print(repr(g))
# ---
try:
    raise ValueError('naked')
except* ValueError as e:
    print(repr(e))
else:
    print('else')
finally:
    print('fin')
try:
    pass
except* ValueError as e:
    print(repr(e))
else:
    print('else')
finally:
    print('fin')
# ---
try:
    try:
        raise ValueError('naked')
    except* TypeError as e:
        print(repr(e))
except Exception as e:
    print(repr(e))
try:
    try:
        raise ValueError('naked')
    except* ValueError as e:
        raise
except Exception as e:
    print(repr(e))
try:
    try:
        raise ValueError('naked')
    except* ValueError as e:
        raise KeyError(3)
except Exception as e:
    print(repr(e))
# ---
g = ExceptionGroup('m', [ValueError('a'), ExceptionGroup('in', [TypeError('b'), ValueError('c')])])
print(g.split(ValueError), g.subgroup(TypeError), g.subgroup(KeyError), g.split(lambda e: isinstance(e, TypeError)))
print(g.split(ExceptionGroup), g.split(KeyError))
print(isinstance(g, Exception), isinstance(g, ExceptionGroup), isinstance(g, BaseExceptionGroup), type(g).__name__)
def leaves(e):
    return [x for s in e.exceptions for x in leaves(s)] if isinstance(e, ExceptionGroup) else [e]
print(leaves(g))
# ---
for bad in (lambda: ExceptionGroup('m', []), lambda: ExceptionGroup(1, [ValueError()]), lambda: ExceptionGroup('m', [1])):
    try:
        bad()
    except (ValueError, TypeError) as e:
        print(repr(e))
# ---
raise ExceptionGroup('several', [ValueError('a'), KeyError('b')])
# ---
import asyncio
class Own(Exception):
    def __init__(self, code):
        super().__init__(f'code {code}')
        self.code = code
async def f(n):
    if n == 2: raise Own(n)
    raise ValueError(n)
async def main():
    try:
        async with asyncio.TaskGroup() as tg:
            for i in range(1, 4): tg.create_task(f(i))
    except* Own as eg:
        for e in eg.exceptions: print('own', e.code)
    except* (ValueError, TypeError) as eg:
        print([str(e) for e in eg.exceptions], eg.message)
await main()
# ---
import asyncio
async def f(n):
    raise ValueError(n)
try:
    async with asyncio.TaskGroup() as tg:
        tg.create_task(f(1))
except Exception as eg:
    print(eg.exceptions, str(eg), repr(eg), type(eg).__name__, isinstance(eg, ExceptionGroup))
# ---
import asyncio
async def f(n):
    raise ValueError(n)
async with asyncio.TaskGroup() as tg:
    tg.create_task(f(1))
# ---
def process(items):
    errors = []
    for x in items:
        try:
            int(x)
        except ValueError as e:
            errors.append(e)
    if errors:
        raise ExceptionGroup('bad items', errors)
try:
    process(['1', 'a', 'b'])
except* ValueError as group:
    for e in group.exceptions:
        print(e)
# ---
def f():
    for i in range(3):
        try:
            if i == 1: raise ExceptionGroup('x', [ValueError(i)])
            print('fine', i)
        except* ValueError as e: print(e.exceptions)
        except* KeyError: print('k')
    return 'done'
print(f())
# ---
try:
    try:
        raise ExceptionGroup('x', [ValueError(1)])
    except* 5:
        print('n')
except TypeError as e:
    print(e)
except ExceptionGroup as e:
    print('group', e)
# ---
try:
    try:
        raise ExceptionGroup('x', [ValueError(1), KeyError('a')])
    except* ValueError as e:
        raise RuntimeError('wrapped') from e
except* RuntimeError as r:
    print(r.exceptions[0].__cause__)
except* KeyError as k:
    print('k', k.exceptions)
# ---
def gen():
    try:
        yield 1
        raise ExceptionGroup('x', [ValueError(1), KeyError('a')])
    except* ValueError as e:
        yield 'v'
    yield 2
g = gen()
try:
    print(list(g))
except ExceptionGroup as e:
    print(repr(e))
# ---
try:
    try:
        raise ExceptionGroup('outer', [ExceptionGroup('inner', [ValueError(1), TypeError(2)]), KeyError(3)])
    except* TypeError:
        raise
    except* KeyError:
        raise
except* Exception as e:
    print(repr(e))
# ---
e = ExceptionGroup('x', [ValueError(1)])
e.add_note('hint')
try:
    raise e
except* ValueError as g:
    print(g.__notes__, g is e)
# ---
class Several(ExceptionGroup):  ### cannot inherit from a group
    pass
# ---
try:
  raise ExceptionGroup('x', [ValueError(1)])
except* ValueError as e:
  print(e)  ### three columns further in
# ---
import asyncio
async def fails(n):
    raise ValueError(n)
async with asyncio.TaskGroup() as group:
    group.create_task(fails(7))  ### ValueError: 7
# ---
def f():
    try:
        raise ExceptionGroup('x', [ValueError(1)])
    except* ValueError:
        return 1  ### cannot appear in an except* block
f()
