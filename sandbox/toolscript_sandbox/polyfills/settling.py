"""`gather(..., return_exceptions=True)` in a script without tasks."""

from .carriers import seen


async def settled(awaitable):
    try:
        return await awaitable
    except Exception as error:
        return seen(error)
