"""An interactive prompt for Python with the target's actual tools."""

import ast
import asyncio
import builtins
import codeop
import keyword
import os
import signal
import sys
from collections.abc import Awaitable, Iterable, Sequence
from pathlib import Path
from pprint import pformat
from typing import Any, TypeVar

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory
from pydantic_ai.toolsets import AbstractToolset

from toolscript.catalog.tool_specs import catalog_of
from toolscript.search import closest_names
from toolscript.sessions.sessions import Sessions
from toolscript_signatures import Catalog, with_visible

from .approvals import decider
from .connections import listed, opened, real_tools
from .run import Progress, for_scripts, run_script, show_failure
from .terminal import CommandError, complain, remark, results, write

ResultT = TypeVar('ResultT')

_GREETING = '{many} functions. TAB completes, ?name explains, ? lists them, Ctrl-D ends.'
_LEAVING = frozenset({'exit', 'quit', 'exit()', 'quit()'})


async def repl(text: str, approve: Sequence[str], inputs: Sequence[str], *, calls: bool) -> None:
    """Read, run and print until the input ends. Variables persist between entries."""
    async with opened(text, inputs) as live:
        offered = await listed(live.toolset)
        catalog = catalog_of([tool.tool_def for tool in real_tools(offered).values()])
        toolset = for_scripts(live.toolset, offered, sessions=Sessions(owner=lambda _: 'typed in'))
        async with toolset:
            # From here on, only code mode keeps the servers running, and restarts those that die.
            await listed(toolset)
            await live.release()
            remark(_GREETING.format(many=len(catalog)))
            prompt = _prompt([function.name for function in catalog])
            while (entry := await _entry(prompt)) is not None:
                if entry.strip() in _LEAVING:
                    return
                if entry.startswith('?') or entry.rstrip().endswith('?'):
                    write(explained(entry.strip().strip('?').strip(), catalog))
                elif entry.strip():
                    await _run(toolset, entry, approve, calls=calls)


def explained(name: str, catalog: Catalog) -> str:
    """Return the signature of a function; without a name, the names of all functions."""
    names = [function.name for function in catalog]
    if not name:
        return '\n'.join(names)
    function = catalog.get(name)
    if function is not None:
        return function.render()
    close = closest_names(name, names)
    return ' '.join([f'There is no function {name}.', *([f'The closest: {", ".join(close)}.'] if close else [])])


class FunctionCompleter(Completer):
    """Completes the names of tools and builtins; any part of a name suffices."""

    def __init__(self, functions: Sequence[str]) -> None:
        self.names: list[str] = sorted({*functions, 'search_tools', 'await', *keyword.kwlist, *dir(builtins)})

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        word = document.get_word_before_cursor()
        if word.isidentifier():
            found = [name for name in self.names if name.startswith(word)]
            for name in found or [name for name in self.names if word in name]:
                yield Completion(name, start_position=-len(word))


def history_file() -> Path:
    state = os.environ.get('XDG_STATE_HOME') or '~/.local/state'
    return Path(state).expanduser() / 'toolscript' / 'history'


def _prompt(functions: Sequence[str]) -> PromptSession[str]:
    file = history_file()
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    return PromptSession[str](
        '>>> ',
        completer=FunctionCompleter(functions),
        complete_while_typing=False,
        history=FileHistory(str(file)),
        multiline=Condition(lambda: not _is_whole(get_app().current_buffer.text)),
        prompt_continuation='... ',
    )


async def _entry(prompt: PromptSession[str]) -> str | None:
    """Read a complete statement; `None` at the end of the input."""
    try:
        return await prompt.prompt_async()
    except EOFError:
        return None
    except KeyboardInterrupt:
        return ''


async def _run(toolset: AbstractToolset[Any], code: str, approve: Sequence[str], *, calls: bool) -> None:
    progress = Progress(calls=calls)
    try:
        ended = await _interruptible(run_script(toolset, code, progress=progress, decide=decider(approve)))
    except asyncio.CancelledError:
        remark('broken off')
    except CommandError as error:
        complain(str(error))
    else:
        progress.finish(ended.stdout)
        if ended.error is not None:
            show_failure(ended.error)
        elif ended.result is not None and _ends_with_expression(code):
            write(with_visible(pformat(ended.result, width=results().width, sort_dicts=False)))


async def _interruptible(work: Awaitable[ResultT]) -> ResultT:
    """Return the result of the work, which Ctrl-C cancels."""
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
    if sys.platform == 'win32':
        return await task
    loop.add_signal_handler(signal.SIGINT, task.cancel)
    try:
        return await task
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def _is_whole(text: str) -> bool:
    """Return whether Python's own prompt would run the text now."""
    if text.startswith('?') or text.rstrip().endswith('?'):
        return True
    compiler = codeop.CommandCompiler()
    compiler.compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        lines = text.split('\n')
        return compiler('\n'.join(line if line.strip() else '' for line in lines), symbol='single') is not None
    except (SyntaxError, ValueError, OverflowError):
        # Running it reports what is wrong.
        return True


def _ends_with_expression(code: str) -> bool:
    """Return whether the last statement has a value; the value of an assignment is not shown."""
    try:
        body = ast.parse(code).body
    except SyntaxError:
        return True
    return not body or isinstance(body[-1], ast.Expr)
