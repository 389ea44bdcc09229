"""A toolset to whose tools rules are applied."""

import asyncio
import warnings
from collections import Counter
from collections.abc import Collection, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, cast

from pydantic_ai import ModelRetry, RunContext, ToolReturn
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ToolFailed
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool, WrapperToolset

from .effects import with_read_only
from .inverses import with_undo
from .placement import with_callers, with_deferral, with_definition
from .rules import RuleBook, ToolRule, ToolSettings, server_of

OWN_NAME = 'toolscript_own_name'
"""The metadata key for a tool's server and the server's name of it, which rules about flows need."""


class ToolRuleWarning(UserWarning):
    """A rule that matches no tool."""


@dataclass
class RuledToolset(WrapperToolset[AgentDepsT]):
    """A toolset of one server, with rules: below all prefixes, so that patterns see the names that the server uses."""

    book: RuleBook
    server: str
    """The name of the toolset, for tools that do not name a server."""
    notes_names: bool = False
    """Whether the tools' metadata contains the names that the server uses."""
    calls: Counter[str] = field(default_factory=Counter[str])
    settled: dict[str, ToolSettings] = field(default_factory=dict[str, ToolSettings])
    """What the rules say about the tools that were listed last."""

    async def for_run(self, ctx: RunContext[AgentDepsT]) -> AbstractToolset[AgentDepsT]:
        return replace(self, wrapped=await self.wrapped.for_run(ctx), calls=Counter(), settled={})

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        tools = await super().get_tools(ctx)
        self.settled.update((name, self._settled(name, tool)) for name, tool in tools.items())
        shown = {name: tool for name, tool in tools.items() if not self.settled[name].hidden}
        ruled = {name: _as_settled(name, tool, self.settled[name]) for name, tool in shown.items()}
        return {name: self._noted(name, tool) for name, tool in ruled.items()} if self.notes_names else ruled

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        """Call the tool within the limits that the rules set."""
        settled = self.settled.get(name) or self._settled(name, tool)
        if settled.requires_approval is False:
            ctx = replace(ctx, tool_call_approved=True)
        counts = not _UNCOUNTED.get()
        if counts:
            self._count(name, settled.max_calls)
        bound = asyncio.timeout(settled.timeout)
        try:
            async with bound:
                result = await super().call_tool(name, tool_args, ctx, tool)
        except (ApprovalRequired, CallDeferred):
            self.calls[name] -= counts
            raise
        except TimeoutError as error:
            if settled.timeout is None or not bound.expired():
                raise
            text = f'Timed out after {settled.timeout:g} seconds. The outcome of {name} is unknown.'
            raise ModelRetry(text) from error
        return result if settled.max_result_chars is None else _within_size(name, result, settled.max_result_chars)

    def _noted(self, name: str, tool: ToolsetTool[AgentDepsT]) -> ToolsetTool[AgentDepsT]:
        own = {OWN_NAME: (server_of(tool.tool_def) or self.server, name)}
        return with_definition(tool, metadata={**(tool.tool_def.metadata or {}), **own})

    def _settled(self, name: str, tool: ToolsetTool[AgentDepsT]) -> ToolSettings:
        return self.book.settle(server_of(tool.tool_def) or self.server, name, tool.tool_def)

    def _count(self, name: str, max_calls: int | None) -> None:
        if max_calls is not None and self.calls[name] >= max_calls:
            times = 'once' if max_calls == 1 else f'{max_calls} times'
            raise ToolFailed(f'{name} may be called {times} in a run; it was not called again. Use what you have.')
        self.calls[name] += 1


@contextmanager
def uncounted() -> Generator[None]:
    """Do not count the calls of a preview against `max_calls`, because the script makes them once more."""
    token = _UNCOUNTED.set(True)
    try:
        yield
    finally:
        _UNCOUNTED.reset(token)


_UNCOUNTED = ContextVar('_UNCOUNTED', default=False)


def warn_of_idle_rules(book: RuleBook) -> None:
    """Warn the developer, once, about the rules that match none of the tools."""
    if book.warned or not book.names:
        return
    book.warned = True
    for rule in book.idle():
        warnings.warn(_idle(rule, book.names), ToolRuleWarning, stacklevel=2)


def _as_settled(name: str, tool: ToolsetTool[AgentDepsT], settled: ToolSettings) -> ToolsetTool[AgentDepsT]:
    if settled.says_nothing:
        return tool
    tool_def = tool.tool_def
    metadata = with_read_only(tool_def.metadata, settled.mark_read_only)
    metadata = with_deferral(with_callers(metadata, settled.allowed_callers), settled.defer_loading)
    if settled.plan_writes is not None:
        metadata = {**(metadata or {}), 'plan_writes': settled.plan_writes}
    tool_def = replace(tool_def, metadata=with_undo(metadata, settled.undo, name))
    if settled.defer_loading is not None:
        tool_def = replace(tool_def, defer_loading=settled.defer_loading)
    if settled.requires_approval is not None and tool_def.kind in ('function', 'unapproved'):
        tool_def = replace(tool_def, kind='unapproved' if settled.requires_approval else 'function')
    return replace(tool, tool_def=tool_def)


def _within_size(name: str, result: Any, max_chars: int) -> Any:
    """Return the result, with lists in place of iterators. Raises `ToolFailed` if it is too long."""
    from toolscript.results.values import as_json, without_iterators

    if isinstance(result, ToolReturn):
        returned = cast('ToolReturn[Any]', result)
        return replace(returned, return_value=_within_size(name, returned.return_value, max_chars))
    value = without_iterators(result)
    size = len(value if isinstance(value, str) else as_json(value))
    if size > max_chars:
        raise ToolFailed(
            f'{name} was called and returned {size:,} characters; {max_chars:,} are allowed, so the result was '
            'dropped. Ask for less: a filter, a page, or fewer fields.'
        )
    return value


def _idle(rule: ToolRule, names: Collection[str]) -> str:
    patterns = [rule.tools] if isinstance(rule.tools, str) else rule.tools
    from toolscript.search import closest_names

    close = sorted({name for pattern in patterns for name in closest_names(pattern.strip('*_'), list(names))})
    hint = f'close are {", ".join(close)}' if close else f'there are {", ".join(sorted(names)[:5])}'
    return f'{rule} matches no tool; {hint}. Correct or remove it.'
