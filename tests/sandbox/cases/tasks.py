import asyncio
future = asyncio.get_running_loop().create_future()  ### There is no create_future here
# ---
# A thread that sleeps lets others go on, which there is nobody to do here.
import asyncio, time


def work(number):
    time.sleep(0.01)
    return number


await asyncio.gather(*[asyncio.to_thread(work, number) for number in range(2)])  ### There are no threads here, and time.sleep would let nothing else run
# ---
from concurrent.futures import ThreadPoolExecutor  ### There is no concurrent.futures.ThreadPoolExecutor here
# ---
import asyncio
try:
    await asyncio.sleep(0)
except SystemExit:  ### SystemExit cannot be told from a cancellation here: catch asyncio.CancelledError, and let a script end with its last line
    pass
await asyncio.create_task(echo(1))
# ---
import asyncio
asyncio.get_running_loop().create_future()  ### There is no create_future here. Wait for an asyncio.Event
# ---
import asyncio
asyncio.get_running_loop().call_later(1, print, 'x')  ### There is no call_later here. Create a task
# ---
import asyncio
asyncio.Future()  ### Scripts make tasks with asyncio.create_task here
# ---
import asyncio
async with asyncio.timeout(5) as bound:
    bound.reschedule(None)  ### A timeout keeps its deadline here. Enter another asyncio.timeout(seconds).
# ---
import asyncio
asyncio.current_task().uncancel()  ### A function that catches asyncio.CancelledError raises it again.
# ---
import asyncio
t = asyncio.create_task(echo(1))
try:
    await t
except SystemExit:  ### SystemExit cannot be told from a cancellation here
    print('never')
# ---
import contextlib
contextlib.ExitStack().pop_all()  ### There is no pop_all here. Enter the contexts where they are left.
