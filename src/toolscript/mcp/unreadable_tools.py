"""Tools that the MCP client cannot read, left out of their server's list; and schemas that it must not check.

The client refuses a server's whole list if one tool in it violates the protocol: a schema that is not an object, a
hint that is not a bool. So each tool is checked separately, before the client sees the list. The client also checks
each result against the server's schema, on the event loop, which a pattern of ten characters can block for any time.
So the client has no such schema when a result arrives.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from toolscript.guards import fields, is_object, items

# The MCP client takes long to import.
if TYPE_CHECKING:
    from pydantic_ai.mcp import MCPToolset

_LIST, _CALL = 'tools/list', 'tools/call'
_MAX_PARTS = 5_000
_TOOLS_IN_A_TURN = 500
_TOO_MANY = (
    'The call has finished, but its result has {count:,} parts, and {most:,} are allowed. Request less at a time: use '
    'a filter, pages, or narrower arguments.'
)
_logger = logging.getLogger('toolscript.servers')


def leave_out_unreadable_tools(server: 'MCPToolset[Any]') -> None:
    """Make the connection of an entered server leave out tools that the client cannot read, and schemas of results."""
    # The client has no public way to see a list before it is validated as a whole.
    session: Any = server.client.session
    dispatcher = getattr(session, '_dispatcher', None)
    if dispatcher is not None and not isinstance(dispatcher, _ReadableTools):
        session._dispatcher = _ReadableTools(dispatcher, session, server.id or 'without an id')


def unreadable_tools(server: 'MCPToolset[Any]') -> Mapping[str, str]:
    """Return why tools are left out of the server's latest list, by name."""
    dispatcher = getattr(server.client.session, '_dispatcher', None) if server.client.is_connected() else None
    return dispatcher.left_out if isinstance(dispatcher, _ReadableTools) else {}


def _in_bounds(result: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a call within bounds: the client reads all parts of one at once, each in microseconds."""
    parts = items(result.get('content'))
    if len(parts) <= _MAX_PARTS:
        return result
    if is_object(result.get('structuredContent')) and all(fields(part).get('type') == 'text' for part in parts):
        # The text only repeats the structured content.
        return {**result, 'content': []}
    return {
        'content': [{'type': 'text', 'text': _TOO_MANY.format(count=len(parts), most=_MAX_PARTS)}],
        'isError': True,
    }


class _ReadableTools:
    """A dispatcher of the MCP client that omits unreadable tools from lists, and does not check results."""

    def __init__(self, dispatcher: Any, session: Any, server: str) -> None:
        self.left_out: Mapping[str, str] = {}
        self._dispatcher, self._session, self._server = dispatcher, session, server

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dispatcher, name)

    async def send_raw_request(self, method: str, params: Mapping[str, Any] | None, *rest: Any) -> dict[str, Any]:
        answer = await self._dispatcher.send_raw_request(method, params, *rest)
        if method == _CALL:
            getattr(self._session, '_tool_output_schemas', {})[fields(params)['name']] = None
            return _in_bounds(answer)
        if method != _LIST:
            return answer
        tools = items(answer.get('tools'))
        kept, left_out = list[object](), dict[str, str]()
        for start in range(0, len(tools), _TOOLS_IN_A_TURN):
            piece = tools[start : start + _TOOLS_IN_A_TURN]
            is_readable = self._fault(answer, piece) is None
            for tool in piece:
                fault = None if is_readable else self._fault(answer, [tool])
                untyped = {key: value for key, value in fields(tool).items() if key != 'outputSchema'}
                if fault is not None and self._fault(answer, [untyped]) is None:
                    # Only the schema of its results is unreadable, so it can still be called.
                    tool, fault = untyped, None
                if fault is None:
                    kept.append(tool)
                else:
                    left_out[str(fields(tool).get('name'))] = fault
            if len(tools) > _TOOLS_IN_A_TURN:
                await asyncio.sleep(0)
        for name in left_out.keys() - self.left_out.keys():
            _logger.warning('the tool %r of the MCP server %r is left out: %s', name, self._server, left_out[name])
        self.left_out = left_out
        return {**answer, 'tools': kept}

    def _fault(self, answer: Mapping[str, Any], tools: Sequence[object]) -> str | None:
        """Return why the client cannot read an answer with these tools; `None` if it can."""
        from mcp.types import ListToolsResult
        from mcp_types.methods import validate_server_result

        try:
            validate_server_result(_LIST, self._session.protocol_version, {**answer, 'tools': [*tools]})
            ListToolsResult.model_validate({**answer, 'tools': [*tools]}, by_name=False)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            return f'{".".join(map(str, first["loc"][2:])) or "it"}: {first["msg"]}'
        return None
