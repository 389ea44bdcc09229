"""Records the tools that each request showed the model, in the metadata of the history's requests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
    """Stores in the message history which tools the model sees in each request, including `run_code`'s description.

    `render_text` and `render_html` show them, and what changed between requests. They are stored as metadata of
    requests, which models do not see, and take about as much space as the tools' descriptions, once.
    """

    def get_ordering(self) -> CapabilityOrdering:
        """Place this after everything that modifies the tools."""
        return CapabilityOrdering(position='innermost')

    async def before_model_request(
        self, ctx: RunContext[AgentDepsT], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Record how the tools of the request have changed, and return the request unchanged."""
        request = next((each for each in reversed(ctx.messages) if isinstance(each, ModelRequest)), None)
        if request is not None:
            _, prepared = request_context.model.prepare_request(None, request_context.model_request_parameters)
            shown, known = dict(_shown(prepared)), tools_after({}, ctx.messages)
            new = {name: text for name, text in shown.items() if known.get(name) != text}
            gone = [name for name in known if name not in shown]
            if new or gone:
                request.metadata = {**(request.metadata or {}), _KEY: {'new': new, 'gone': gone}}
        return request_context


def tools_after(tools: dict[str, str], messages: Sequence[ModelMessage]) -> dict[str, str]:
    """Return the tools that the last of these messages showed, as text by name, given the earlier `tools`."""
    for message in messages:
        if isinstance(message, ModelRequest) and _KEY in fields(message.metadata):
            record = fields(fields(message.metadata)[_KEY])
            gone = {*strings(record.get('gone'))}
            new = {name: text for name, text in fields(record.get('new')).items() if isinstance(text, str)}
            tools = {**{name: text for name, text in tools.items() if name not in gone}, **new}
    return tools


def _shown(parameters: ModelRequestParameters) -> Iterator[tuple[str, str]]:
    visible = [tool for tool in parameters.function_tools if parameters.visibility_of(tool.name) == 'visible']
    for tool in (*visible, *parameters.output_tools):
        text = f'{tool.description}\n' if tool.description else ''
        yield tool.name, f'{text}parameters: {as_json(tool.parameters_json_schema)}'[:_MOST_CHARS]
    for native in parameters.native_tools:
        yield native.kind, "one of the provider's own"
