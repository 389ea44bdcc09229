"""Programs in Monty with the polyfills that they need, whose questions a `HostLibrary` answers."""

from importlib.resources import files
from typing import Any

from pydantic_monty import AsyncFunctionSnapshot, AsyncMonty, MontyComplete

from toolscript_sandbox import Function
from toolscript_sandbox.host_library import HostLibrary, HostLibraryError
from toolscript_sandbox.transforms.preparation import prelude, prepared

_FOLDER = files('toolscript_sandbox') / 'polyfills'
TEXTS = {file.name: file.read_text() for file in _FOLDER.iterdir() if file.name.endswith('.py')}
"""The source of each polyfill."""


class _Nothing(dict[str, Function]):
    def hint(self, name: str, /) -> str | None:
        return None


async def run(library: HostLibrary, pool: AsyncMonty, module: str, program: str) -> Any:
    """The value of the program's last expression. The program imports the module.

    Raises what the program raises, as Monty shows it.
    """
    snippet = prepared(f'import {module}\n{program}', _Nothing())
    async with pool.checkout(limits={'max_suspensions': 100_000}) as session:
        await session.feed_run(prelude(snippet, frozenset()))
        step = await session.feed_start(snippet.code)
        while not isinstance(step, MontyComplete):
            assert isinstance(step, AsyncFunctionSnapshot), step
            assert step.function_name == '_host__', step.function_name
            name, *args = step.args
            try:
                step = await step.resume({'return_value': await library.call(name, args, step.kwargs, seconds=5)})
            except HostLibraryError as error:
                raised: Any = {'exc_type': error.builtin, 'message': error.message}
                step = await step.resume(raised)
        return step.output
