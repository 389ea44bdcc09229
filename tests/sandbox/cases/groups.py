try:
    try:
        raise ExceptionGroup('g', [ValueError(1), TypeError('t'), ExceptionGroup('n', [ValueError(2), KeyError('k')])])
    except* ValueError as eg:
        print('V', eg.exceptions)
except ExceptionGroup as g:
    print(repr(g), str(g), g.exceptions, g.message, g.args)
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
e = ExceptionGroup('x', [ValueError(1)])
e.add_note('hint')  ### There is no add_note here
# ---
import asyncio
async def fails(n):
    raise ValueError(n)
async with asyncio.TaskGroup() as group:  ### unhandled errors in a TaskGroup (1 sub-exception)
    group.create_task(fails(7))
