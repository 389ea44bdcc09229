"""Python typed in live, against the real tools."""

import ast
import codeop
from collections.abc import Collection, Sequence
from pprint import pformat
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults
from pydantic_ai.toolsets import AbstractToolset

from toolscript.catalog.tool_specs import catalog_of
from toolscript.command.approvals import decided
from toolscript.command.calling import listed, real_tools, together
from toolscript.command.console import complain, remark, results, write
from toolscript.command.exits import CommandError
from toolscript.command.opening import opened
from toolscript.search import closest_names
from toolscript.sessions.sessions import Sessions
from toolscript_signatures import Catalog, with_visible

from .answered import Ask, answered
from .line_editing import line_editing
from .one_script import Ended, run_script
from .seen_calls import SeenCalls
from .under_code_mode import for_scripts

_GREETING = '{many} functions. TAB completes, ?name explains, ? lists them, Ctrl-D ends.'
_LEAVING = frozenset({'exit', 'quit', 'exit()', 'quit()'})


def repl(text: str, approve: Sequence[str], inputs: Sequence[str], *, calls: bool) -> None:
    """Read, run and tell until the input ends. Variables live on from one entry to the next.

    The tools work in a thread of their own, so that waiting for a key keeps no server waiting.

    Args:
        text: The target.
        approve: Tools that need not be asked about.
        inputs: `id=value` each.
        calls: Whether nested calls are told.
    """
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(opened(text, inputs)) as (_, live):
        tools = together(live)
        offered = portal.call(listed, tools)
        catalog = catalog_of([tool.tool_def for tool in real_tools(offered).values()])
        toolset = for_scripts(tools, offered, sessions=Sessions(owner=lambda _: 'typed in'))
        with portal.wrap_async_context_manager(toolset):
            # From here on code mode alone holds the servers, and starts those again that die.
            portal.call(listed, toolset)
            portal.call(live.release)
            remark(_GREETING.format(many=len(catalog)))
            with line_editing([function.name for function in catalog]):
                _Loop(portal, toolset, catalog, approve, calls=calls).turn()


class _Loop:
    def __init__(
        self,
        portal: BlockingPortal,
        toolset: AbstractToolset[Any],
        catalog: Catalog,
        approve: Sequence[str],
        *,
        calls: bool,
    ) -> None:
        self._portal = portal
        self._toolset = toolset
        self._catalog = catalog
        self._approve = approve
        self._calls = calls

    def turn(self) -> None:
        """Take entry after entry."""
        while True:
            try:
                entry = _entry()
            except EOFError:
                write('')
                return
            except KeyboardInterrupt:
                write('')
                continue
            if entry.strip() in _LEAVING:
                return
            if entry.startswith('?') or entry.rstrip().endswith('?'):
                write(explained(entry.strip().strip('?').strip(), self._catalog))
            elif entry.strip():
                self._run(entry)

    def _run(self, code: str) -> None:
        seen = SeenCalls(calls=self._calls)

        async def script(decide: Ask[DeferredToolRequests, DeferredToolResults]) -> Ended:
            return await run_script(self._toolset, code, seen=seen, decide=decide)

        try:
            ended = answered(self._portal, script, lambda requests: decided(requests, self._approve))
        except KeyboardInterrupt:
            remark('broken off')
        except CommandError as error:
            complain(str(error))
        else:
            seen.finish(ended.stdout)
            if ended.error is not None:
                complain(ended.error)
            elif ended.result is not None:
                write(with_visible(pformat(ended.result, width=results().width, sort_dicts=False)))


def explained(name: str, catalog: Catalog) -> str:
    """What code is shown of a function; without a name, all their names."""
    if not name:
        return '\n'.join(function.name for function in catalog)
    function = catalog.get(name)
    if function is not None:
        return function.render()
    close = closest_names(name, _names(catalog))
    return f'There is no function {name}.{f" The closest: {chr(44).join(close)}." if close else ""}'


def _names(catalog: Catalog) -> Collection[str]:
    return [function.name for function in catalog]


def _entry() -> str:
    """The lines up to where a statement is whole, as Python's own prompt takes them."""
    lines = [input('>>> ')]
    while not _is_whole('\n'.join(lines)):
        lines.append(input('... '))
    return '\n'.join(lines)


def _is_whole(text: str) -> bool:
    if text.startswith('?') or text.rstrip().endswith('?'):
        return True
    compiler = codeop.CommandCompiler()
    compiler.compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        return compiler(text, symbol='single') is not None
    except (SyntaxError, ValueError, OverflowError):
        # What is wrong with it is told by what runs it.
        return True
