"""Contexts of a few lines."""

from .carriers import matches


class suppress:
    def __init__(self, *exceptions): self._exceptions = exceptions
    def __enter__(self): return None
    def __exit__(self, kind, error, trace): return error is not None and matches(error, self._exceptions)


class nullcontext:
    def __init__(self, enter_result=None): self.enter_result = enter_result
    def __enter__(self): return self.enter_result
    def __exit__(self, kind, error, trace): return None
    async def __aenter__(self): return self.enter_result
    async def __aexit__(self, kind, error, trace): return None


class closing:
    def __init__(self, thing): self.thing = thing
    def __enter__(self): return self.thing
    def __exit__(self, kind, error, trace): self.thing.close()


class aclosing:
    def __init__(self, thing): self.thing = thing
    async def __aenter__(self): return self.thing
    async def __aexit__(self, kind, error, trace): await self.thing.aclose()
