"""`async with`, which Monty lacks."""


class Entered:
    """An asynchronous context, entered and left by hand."""

    def __init__(self, context):
        self._context = context
        self._is_left = False

    async def enter(self):
        return await self._context.__aenter__()

    async def failed(self, error):
        self._is_left = True
        return await self._context.__aexit__(type(error), error, None)

    async def left(self):
        if not self._is_left:
            await self._context.__aexit__(None, None, None)
