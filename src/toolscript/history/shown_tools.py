"""Which tools a model was shown, kept in the history.

A history has the instructions of each request, and not its tools. `RecordTools` leaves them in the metadata of the
request, which no model sees and which goes where the history goes: all of them the first time, and then what changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering
from pydantic_ai.messages import ModelMessage, ModelRequest
from pydantic_ai.models import ModelRequestContext, ModelRequestParameters
from pydantic_ai.tools import AgentDepsT

from toolscript.guards import fields, strings

from .values import as_json

_KEY = 'toolscript_shown'
_MOST_CHARS = 100_000


@dataclass
class RecordTools(AbstractCapability[AgentDepsT]):
    """Keeps in the message history which tools the model is shown with each request, `run_code`'s description too.

    `render_text` and `render_html` show them, and what changed from request to request. What is kept is metadata of
    the history's requests: no model sees it, and it takes about as much room as the tools' descriptions, once.
    """

    def get_ordering(self) -> CapabilityOrdering:
        """Behind all that changes the tools."""
        return CapabilityOrdering(position='innermost')

    async def before_model_request(
        self, ctx: RunContext[AgentDepsT], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """The request as it is; what changed of its tools is noted in the history."""
        request = next((each for each in reversed(ctx.messages) if isinstance(each, ModelRequest)), None)
        if request is not None:
            _, prepared = request_context.model.prepare_request(None, request_context.model_request_parameters)
            shown = dict(_shown(prepared))
            known = tools_after(ctx.messages)
            new = {name: text for name, text in shown.items() if known.get(name) != text}
            gone = [name for name in known if name not in shown]
            if new or gone:
                request.metadata = {**(request.metadata or {}), _KEY: {'new': new, 'gone': gone}}
        return request_context


def tools_after(messages: Sequence[ModelMessage]) -> dict[str, str]:
    """The tools that the last of these requests showed, by name, as text; none where nobody kept them."""
    tools = dict[str, str]()
    for message in messages:
        tools = tools_with(tools, message)
    return tools


def tools_with(tools: dict[str, str], message: ModelMessage) -> dict[str, str]:
    """The tools that a request showed, after one that showed these."""
    if not isinstance(message, ModelRequest) or _KEY not in fields(message.metadata):
        return tools
    record = fields(fields(message.metadata)[_KEY])
    gone = {*strings(record.get('gone'))}
    new = {name: text for name, text in fields(record.get('new')).items() if isinstance(text, str)}
    return {**{name: text for name, text in tools.items() if name not in gone}, **new}


def _shown(parameters: ModelRequestParameters) -> Iterator[tuple[str, str]]:
    visible = [tool for tool in parameters.function_tools if parameters.visibility_of(tool.name) == 'visible']
    for tool in (*visible, *parameters.output_tools):
        yield tool.name, _text(tool.description, tool.parameters_json_schema)
    for native in parameters.native_tools:
        yield native.kind, "one of the provider's own"


def _text(description: str | None, schema: Mapping[str, Any]) -> str:
    text = f'{description}\n' if description else ''
    return f'{text}parameters: {as_json(schema)}'[:_MOST_CHARS]
