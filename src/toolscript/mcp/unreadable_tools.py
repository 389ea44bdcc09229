"""Tools that the MCP client cannot read, left out of what their server lists; and schemas that it must not run.

The client refuses a server's whole list where one tool in it breaks the protocol: a schema that is no object, a hint
that is no truth value. So each tool is looked at alone, before the client sees the list. It also checks each result
against the schema that the server gave, on the event loop, where a pattern of ten characters can hold it for as long as
it likes. So the client has no such schema when a result arrives.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from toolscript.guards import fields, is_object, items

# The MCP client takes long to import.
if TYPE_CHECKING:
    from pydantic_ai.mcp import MCPToolset

_LIST, _CALL = 'tools/list', 'tools/call'
_MOST_PARTS = 5_000
_TOO_MANY = (
    'The call has finished, but its result has {count:,} parts, and {most:,} are allowed. Request less at a time: use '
    'a filter, pages, or narrower arguments.'
)
_logger = logging.getLogger('toolscript.servers')


def leave_out_unreadable_tools(server: 'MCPToolset[Any]') -> None:
    """Have the connection of a server that was entered leave out what the client cannot read, and must not run."""
    # The client has no public way to see a list before it is checked as a whole.
    session: Any = server.client.session
    dispatcher = getattr(session, '_dispatcher', None)
    if dispatcher is not None and not isinstance(dispatcher, _ReadableTools):
        session._dispatcher = _ReadableTools(dispatcher, session, server.id or 'without an id')


def unreadable_tools(server: 'MCPToolset[Any]') -> Mapping[str, str]:
    """Why each tool is left out of the list that the server gave last, by name."""
    dispatcher = getattr(server.client.session, '_dispatcher', None) if server.client.is_connected() else None
    return dispatcher.left_out if isinstance(dispatcher, _ReadableTools) else {}


def _in_bounds(result: dict[str, Any]) -> dict[str, Any]:
    """The result of a call. The client reads all parts of one at once, each in some microseconds."""
    parts = items(result.get('content'))
    if len(parts) <= _MOST_PARTS:
        return result
    if is_object(result.get('structuredContent')) and all(fields(part).get('type') == 'text' for part in parts):
        # The text is the same once more.
        return {**result, 'content': []}
    return {
        'content': [{'type': 'text', 'text': _TOO_MANY.format(count=len(parts), most=_MOST_PARTS)}],
        'isError': True,
    }


class _ReadableTools:
    """A dispatcher of the MCP client, without unreadable tools in its lists and without checks of results."""

    def __init__(self, dispatcher: Any, session: Any, server: str) -> None:
        self.left_out: Mapping[str, str] = {}
        self._dispatcher, self._session, self._server = dispatcher, session, server

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dispatcher, name)

    async def send_raw_request(self, method: str, params: Mapping[str, Any] | None, *rest: Any) -> dict[str, Any]:
        """The answer of the server."""
        answer = await self._dispatcher.send_raw_request(method, params, *rest)
        if method == _CALL:
            getattr(self._session, '_tool_output_schemas', {})[fields(params)['name']] = None
            return _in_bounds(answer)
        tools = items(answer.get('tools')) if method == _LIST else ()
        if not tools or self._fault(answer, tools) is None:
            return answer
        faults = [(tool, self._fault(answer, [tool])) for tool in tools]
        left_out = {str(fields(tool).get('name')): fault for tool, fault in faults if fault is not None}
        for name in left_out.keys() - self.left_out.keys():
            _logger.warning('the tool %r of the MCP server %r is left out: %s', name, self._server, left_out[name])
        self.left_out = left_out
        return {**answer, 'tools': [tool for tool, fault in faults if fault is None]}

    def _fault(self, answer: Mapping[str, Any], tools: Sequence[object]) -> str | None:
        """Why the client cannot read an answer with these tools."""
        from mcp.types import ListToolsResult
        from mcp_types.methods import validate_server_result

        try:
            validate_server_result(_LIST, self._session.protocol_version, {**answer, 'tools': [*tools]})
            ListToolsResult.model_validate({**answer, 'tools': [*tools]}, by_name=False)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            return f'{".".join(map(str, first["loc"][2:])) or "it"}: {first["msg"]}'
        return None
