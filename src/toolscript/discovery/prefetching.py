"""Deferred tools that a user's own words find, shown before the model searches.

They depend only on the history and the run's prompt. So all requests of a run have the same prefix, a history
includes its tools, and the words of one conversation do not affect another.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    TextContent,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
    post_compaction_window,
)
from pydantic_ai.tools import ToolDefinition
from pydantic_core import to_json

from toolscript.guards import parts_of
from toolscript.routing.placement import may_be_called_directly

from .discoveries import names_in
from .search_options import ToolSearchOptions

if TYPE_CHECKING:
    from toolscript.search import Index

REMINDER_OPENING = '<available-deferred-tools>'
"""The beginning of the reminder's user message, which is not a user's."""

IN_CODE = 8
"""How many tools that are for code alone a prompt shows by default."""
_CHARACTERS_PER_TOKEN = 4


class KnownTools(NamedTuple):
    """The deferred tools that a step shows because of the history."""

    batches: Sequence[Sequence[str]]
    """The names that became known together, in the order of discovery."""
    prefetched: Collection[str]
    """The names among them that a user's words found."""

    @property
    def found(self) -> list[str]:
        """All names, without duplicates."""
        return list(dict.fromkeys(name for batch in self.batches for name in batch))


NOTHING_KNOWN = KnownTools((), frozenset())


async def known_tools(
    messages: Sequence[ModelMessage],
    prompt: str | Sequence[UserContent] | None,
    deferred: Mapping[str, ToolDefinition],
    options: ToolSearchOptions,
) -> KnownTools:
    """Return what searches found in this history and what users' words find, in order of first appearance.

    The `prompt` of the run counts even if a processor has dropped it from the history.
    """
    window = post_compaction_window(messages)
    prefetching = _Prefetching(deferred, options)
    batches = list[Sequence[str]]()
    words = words_of(prompt)
    if words not in prompts_of(window):
        batches.append(await prefetching.names_for(words))
    for message, is_users in zip(window, users_requests(window), strict=True):
        for part in message.parts:
            if not isinstance(part, UserPromptPart):
                batches.append(list(names_in(part, tool_name=options.tool_name)))
            elif is_users:
                batches.append(await prefetching.names_for(words_of(part.content)))
    return KnownTools([batch for batch in batches if batch], frozenset(prefetching.names))


class _Prefetching:
    """Prefetches for prompts in order, as long as there is room."""

    def __init__(self, tools: Mapping[str, ToolDefinition], options: ToolSearchOptions) -> None:
        self.names = dict[str, None]()
        self._tools = tools
        self._index: Index | None = None
        # Signatures are cheap, and a search costs a request of its own, except by the provider.
        usual = 0 if any(map(may_be_called_directly, tools.values())) else IN_CODE
        self._most = usual if options.prefetch is None else options.prefetch
        self._room = options.prefetch_tokens if self._most else 0

    async def names_for(self, words: str) -> list[str]:
        """Return the names that a prompt finds, including those that an earlier one found."""
        if not words or self._room <= 0:
            return []
        if self._index is None:
            from toolscript.search import build_index_in_turns

            from .searching import documents_in_turns

            documents = await documents_in_turns([*self._tools.values()])
            self._index = await build_index_in_turns('ranked', documents)
        return list(self._fitting(self._index.asked_for(words, limit=self._most)))

    def _fitting(self, names: Sequence[str]) -> Iterator[str]:
        for name in names:
            tokens = 0 if name in self.names else _tokens(self._tools[name])
            if tokens <= self._room:
                self._room -= tokens
                self.names[name] = None
                yield name


def _tokens(tool: ToolDefinition) -> float:
    shown = (tool.name, tool.description, tool.parameters_json_schema, tool.return_schema)
    try:
        return len(to_json(shown, fallback=repr)) // _CHARACTERS_PER_TOKEN
    except ValueError:
        # A definition that cannot be serialized, with half a character or endless nesting, is found by searches only.
        return inf


def users_requests(messages: Sequence[ModelMessage]) -> list[bool]:
    """Returns, for each message, whether its user prompts are from a user.

    Prompts next to the results of tools are mostly parts of these results. Only if a run begins with the results that
    it waited for may they be from a user.
    """
    begins = [False, *(before.run_id != message.run_id for before, message in pairwise(messages))]
    return [
        isinstance(message, ModelRequest) and (begun or not any(parts_of([message], ToolReturnPart)))
        for begun, message in zip(begins, messages, strict=False)
    ]


def words_of(content: str | Sequence[UserContent] | None) -> str:
    """Return the text of a prompt; empty for an image or our own reminder."""
    items = [content] if isinstance(content, str) else content or ()
    text = '\n'.join(_texts(items))
    return '' if text.startswith(REMINDER_OPENING) else text


def prompts_of(messages: Sequence[ModelMessage]) -> set[str]:
    return {words_of(part.content) for part in parts_of(messages, UserPromptPart)}


def _texts(items: Sequence[UserContent]) -> Iterator[str]:
    for item in items:
        match item:
            case str():
                yield item
            case TextContent():
                yield item.content
            case _:
                pass
