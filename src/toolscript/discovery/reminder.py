"""A reminder of the tools that a search can find."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelRequestPart, SystemPromptPart, UserPromptPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.tools import AgentDepsT

from toolscript.guards import parts_of
from toolscript.routing.placement import first_listed, listed_among, listed_tools

from .prefetching import REMINDER_OPENING
from .search_tool import RunsCode, SearchTool

_CLOSING = '</available-deferred-tools>'


@dataclass
class DeferredToolsReminder(AbstractCapability[AgentDepsT]):
    """Lists the names of all deferred tools to the model, in a user message at the start of the conversation.

    The message is sent once per conversation, and again if a history processor dropped it. It names all deferred
    tools, found or not, so that a discovery does not change it.
    """

    def get_ordering(self) -> CapabilityOrdering:
        """Return the innermost place, to see the messages after all changes to them."""
        return CapabilityOrdering(position='innermost')

    async def before_model_request(
        self, ctx: RunContext[AgentDepsT], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Return the request with the reminder in it."""
        names = list(dict.fromkeys(_deferred_names(ctx)))
        if names and not _is_reminded(request_context.messages):
            messages = add_reminder(request_context.messages, names)
            request_context.messages = messages
            ctx.messages[:] = messages
        return request_context


def add_reminder(messages: Sequence[ModelMessage], names: Iterable[str]) -> list[ModelMessage]:
    """Return the messages, with the names listed before the first part that is not a system prompt."""
    reminder = UserPromptPart('\n'.join([REMINDER_OPENING, *names, _CLOSING]))
    match messages:
        case [ModelRequest() as first, *others]:
            return [replace(first, parts=_behind_system(first.parts, reminder)), *others]
        case _:
            return [ModelRequest([reminder]), *messages]


def _behind_system(parts: Sequence[ModelRequestPart], reminder: UserPromptPart) -> list[ModelRequestPart]:
    place = next((at for at, part in enumerate(parts) if not isinstance(part, SystemPromptPart)), len(parts))
    return [*parts[:place], reminder, *parts[place:]]


def _is_reminded(messages: Iterable[ModelMessage]) -> bool:
    contents = [part.content for part in parts_of(messages, UserPromptPart)]
    return any(isinstance(content, str) and content.startswith(REMINDER_OPENING) for content in contents)


def _deferred_names(ctx: RunContext[AgentDepsT]) -> Iterator[str]:
    tools = listed_tools(ctx)
    for search in listed_among(tools, SearchTool).values():
        yield from search.deferred
    run_code = first_listed(tools, RunsCode)
    if run_code is not None and run_code.searched is not None:
        yield from run_code.searched.deferred
    yield from (name for name, tool in tools.items() if tool.tool_def.defer_loading)
