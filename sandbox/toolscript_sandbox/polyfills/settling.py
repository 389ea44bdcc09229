"""`gather` with keywords in a script without tasks."""

import asyncio

from .carriers import seen


async def gather(*coros_or_futures, return_exceptions=False):
    if return_exceptions:
        coros_or_futures = [_settled(awaitable) for awaitable in coros_or_futures]
    return await asyncio.gather(*coros_or_futures)


async def _settled(awaitable):
    try:
        return await awaitable
    except Exception as error:
        return seen(error)
