"""`gather(..., return_exceptions=True)` in a script without tasks."""


async def settled(awaitable, known=None):
    try:
        return await awaitable
    except Exception as error:
        return error if known is None else known(error)
