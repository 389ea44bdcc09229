"""The first requests of a run, and what one discovery changes in them."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from pydantic_ai import Agent, ModelMessage, ModelResponse, ToolCallPart, capture_run_messages
from pydantic_ai.agent import AbstractAgent
from pydantic_ai.messages import ModelRequest
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.toolsets import AbstractToolset

from toolscript.code_mode_toolset import CodeModeToolset
from toolscript.discovery.search_options import DEFAULT_SEARCH_TOOL_NAME
from toolscript.discovery.searchable_toolset import SearchableToolset
from toolscript.reading import RecordTools
from toolscript.testing import PrefixChange, RecordingModel, RequestPrefix, prefix_changes
from toolscript_signatures import estimate_tokens


@dataclass(frozen=True)
class Played:
    """What a model was shown."""

    messages: tuple[ModelMessage, ...]
    """The history, with the tools of each request in it."""
    requests: tuple[RequestPrefix, ...]
    """The first, and the one after a discovery where there was something to discover."""
    found: str | None
    """The tool that was discovered."""

    @property
    def first_tokens(self) -> int:
        """What the first request takes, about."""
        return _tokens(self.requests[0])

    @property
    def change(self) -> PrefixChange | None:
        """The first byte of the first request that the discovery changed; `None` where it only appended."""
        return next(iter(prefix_changes(self.requests)), None)

    @property
    def read_anew(self) -> int:
        """How many tokens the discovery makes the provider read anew: what is appended, and all behind the change."""
        if len(self.requests) < 2:
            return 0
        before, after = self.requests
        change = self.change
        if change is None:
            return _tokens(after) - _tokens(before)
        return estimate_tokens(_text(after).encode()[change.byte :].decode(errors='replace'))


async def played(subject: AbstractToolset[Any] | AbstractAgent[Any, Any], names: Sequence[str], prompt: str) -> Played:
    """Play a run as far as there is something to see: its first request, and one after a discovery.

    Args:
        subject: An agent, or tools in code mode.
        names: The tools there are; one that the first request does not show is discovered.
        prompt: What the user says.
    """
    found: list[str] = []

    def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        shown = {tool.name: tool for tool in info.function_tools}
        search = shown.get(DEFAULT_SEARCH_TOOL_NAME)
        text = '\n'.join(f'{tool.name}( {tool.description}' for tool in info.function_tools)
        hidden = next((name for name in names if f'{name}(' not in text), None) if search and not found else None
        if search is None or hidden is None:
            raise _SeenEnough
        found.append(hidden)
        return ModelResponse([ToolCallPart(search.name, {'query': f'select:{hidden}'}, tool_call_id='search')])

    model = RecordingModel(FunctionModel(play, model_name='inspect'))
    agent = subject if isinstance(subject, AbstractAgent) else Agent(toolsets=[subject])
    with capture_run_messages() as messages, suppress(_SeenEnough):
        await agent.run(prompt, model=model, capabilities=[RecordTools()])
    # The last request was shown, though nothing answers it; when that was says nothing here.
    shown = [replace(each, timestamp=None) if isinstance(each, ModelRequest) else each for each in messages]
    return Played(
        (*shown, ModelResponse([], model_name='nothing is asked of a model')),
        tuple(model.requests),
        found[0] if found else None,
    )


def in_code_mode(toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
    """The tools in code mode, deferred once they are many."""
    return CodeModeToolset(SearchableToolset(toolset, defer='auto'))


class _SeenEnough(Exception):
    """Ends a run that is there to be looked at."""


def _tokens(request: RequestPrefix) -> int:
    return estimate_tokens(_text(request))


def _text(request: RequestPrefix) -> str:
    return ''.join(f'{entry}\n' for entry in (*request.tools, *request.system, *request.messages))
