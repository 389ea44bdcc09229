out = []
for kind in ['ConnectionError', 'ConnectionResetError', 'BrokenPipeError', 'TimeoutError', 'OSError', 'FileNotFoundError', 'PermissionError', 'ValueError', 'KeyError']:
    try:
        await fail('x', 1, kind)
    except ConnectionResetError as e:
        out.append((kind, 'reset', str(e)))
    except ConnectionError as e:
        out.append((kind, 'connection', str(e)))
    except TimeoutError as e:
        out.append((kind, 'timeout', str(e)))
    except OSError as e:
        out.append((kind, 'os', str(e)))
    except LookupError:
        out.append((kind, 'lookup'))
    except Exception as e:
        out.append((kind, 'other', str(e)))
out
# ---
try:
    await fail('x', 1, 'PermissionError')
except ConnectionError:
    r = 'connection'
except OSError:
    r = 'os'
r
# ---
try:
    try:
        await fail('x', 1, 'OSError')
    except ConnectionError:
        r = 'inner'
except OSError as e:
    r = ('outer', str(e))
r
# ---
import asyncio
results = await asyncio.gather(fail('a', 1, 'ConnectionError'), fail('b', 1, 'OSError'), fail('c', 1, 'TimeoutError'), return_exceptions=True)
[[isinstance(r, ConnectionError), isinstance(r, OSError), isinstance(r, TimeoutError)] for r in results]
# ---
try:
    raise ConnectionRefusedError('no')
except ConnectionError as e:
    r = str(e)
r
# ---
import asyncio
async def work():
    try:
        await tool('a', 5)
    except Exception:
        print('wrong')
    except asyncio.CancelledError:
        print('right')
        raise
t = asyncio.create_task(work())
await asyncio.sleep(1)
t.cancel()
try:
    await t
except TimeoutError:
    print('no')
except asyncio.CancelledError:
    print('yes')
# ---
# with S = (0,0,0), (1,1,1), (1,1,2), (0,1,1)
import asyncio
async def main():
    try:
        async with asyncio.TaskGroup() as group:
            for name, seconds in zip('abc', S):
                group.create_task(fail(name, seconds))
    except* ValueError as errors:
        print(errors.exceptions)
await main()
# ---
import asyncio
t = asyncio.create_task(tool('a', 5))
await asyncio.sleep(1)
t.cancel('enough')
[got] = await asyncio.gather(t, return_exceptions=True)
async def group():
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(fail('b', 1))
try:
    await group()
except Exception as e:
    print(type(e).__name__, str(e))
print(repr(got), type(got).__name__, repr(1), type(1).__name__)
