"""An MCP server with all that makes MCP tools awkward: odd names and parameters, missing schemas, errors, delays.

It records every call in order of arrival and returns the list through ``ledger.read``.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import anyio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


@dataclass
class Workshop:
    """The state of the tools."""

    calls: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    counter: int = 0
    running: int = 0
    most_at_once: int = 0


Schema = dict[str, Any]
Handler = Callable[[Workshop, dict[str, Any]], Awaitable[types.CallToolResult]]

_OFFERED: dict[str, tuple[types.Tool, Handler]] = {}
_READS = types.ToolAnnotations(read_only_hint=True)
_DESTROYS = types.ToolAnnotations(read_only_hint=False, destructive_hint=True)
_ORDER_ID = {'type': 'integer', 'description': 'The number on the invoice.', 'minimum': 1}
_PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='


def _object(properties: dict[str, Schema], required: list[str] | None = None) -> Schema:
    """Return the schema of an object; without ``required``, all properties are required."""
    return {'type': 'object', 'properties': properties, 'required': list(properties) if required is None else required}


def _offer(
    name: str,
    description: str,
    takes: Schema | None = None,
    returns: Schema | None = None,
    hints: types.ToolAnnotations | None = None,
) -> Callable[[Handler], Handler]:
    """Add the decorated function to the tools of this server."""
    tool = types.Tool(
        name=name,
        description=description,
        input_schema=_object({}) if takes is None else takes,
        output_schema=returns,
        annotations=hints,
    )

    def register(handler: Handler) -> Handler:
        _OFFERED[name] = (tool, handler)
        return handler

    return register


def _text(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type='text', text=text)])


def _error(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type='text', text=text)], is_error=True)


def _structured(value: dict[str, Any]) -> types.CallToolResult:
    content = types.TextContent(type='text', text=json.dumps(value))
    return types.CallToolResult(content=[content], structured_content=value)


_ORDER = {
    'id': {'type': 'integer'},
    'date': {'type': 'string'},
    'class': {'type': 'string'},
    'total': {'type': 'number'},
}
_ORDERS = [
    {'id': day, 'date': f'2026-01-{day:02}', 'class': ('express', 'standard')[day % 2], 'total': day * 10.5}
    for day in range(1, 9)
]


@_offer(
    'list-orders',
    'List the orders since a date.',
    takes=_object(
        {
            'from': {'type': 'string', 'format': 'date', 'description': 'The first day.'},
            'class': {'enum': ['express', 'standard'], 'description': 'Only this class of delivery.'},
        },
        required=['from'],
    ),
    returns=_object({'result': {'type': 'array', 'items': _object(_ORDER)}}),
    hints=_READS,
)
async def _list_orders(_: Workshop, arguments: dict[str, Any]) -> types.CallToolResult:
    since = [order for order in _ORDERS if str(order['date']) >= arguments['from']]
    wanted = [order for order in since if order['class'] == arguments.get('class', order['class'])]
    return _structured({'result': wanted})


@_offer(
    'stock.level',
    'Count what is in stock.',
    takes=_object(
        {'x-api-key': {'type': 'string'}, '$filter': {'type': 'string', 'description': 'Part of a name.'}},
        required=['x-api-key'],
    ),
    hints=_READS,
)
async def _stock_level(_: Workshop, arguments: dict[str, Any]) -> types.CallToolResult:
    if arguments['x-api-key'] != 'secret':
        return _error('The API key is wrong.')
    levels = {'bolt': 120, 'nut': 80, 'washer': 0}
    return _text(json.dumps({name: count for name, count in levels.items() if arguments.get('$filter', '') in name}))


@_offer(
    'customer_of',
    'Find the customer of an order.',
    takes=_object({'order_id': _ORDER_ID}),
    returns=_object({'id': {'type': 'integer'}, 'name': {'type': 'string'}}),
    hints=_READS,
)
async def _customer_of(_: Workshop, arguments: dict[str, Any]) -> types.CallToolResult:
    return _structured({'id': 7, 'name': f'Customer of order {arguments["order_id"]}'})


@_offer('note', 'Write a note.', takes=_object({'text': {'type': 'string'}}))
async def _note(_: Workshop, arguments: dict[str, Any]) -> types.CallToolResult:
    return _text(f'Noted: {arguments["text"]}')


@_offer(
    'refund',
    'Refund a part of an order, at most 100.',
    takes=_object({'order_id': _ORDER_ID, 'amount': {'type': 'number'}}),
    returns=_object({'order_id': {'type': 'integer'}, 'refunded': {'type': 'number'}}),
    hints=_DESTROYS,
)
async def _refund(_: Workshop, arguments: dict[str, Any]) -> types.CallToolResult:
    if arguments['amount'] > 100:
        return _error(f'A refund of {arguments["amount"]} exceeds the limit of 100.')
    return _structured({'order_id': arguments['order_id'], 'refunded': arguments['amount']})


@_offer(
    'counter.next',
    'Add one to the counter; of two calls at once, one is lost.',
    returns=_object({'value': {'type': 'integer'}}),
)
async def _next_count(workshop: Workshop, _: dict[str, Any]) -> types.CallToolResult:
    before = workshop.counter
    await anyio.sleep(0.01)
    workshop.counter = before + 1
    return _structured({'value': workshop.counter})


@_offer(
    'slow-echo',
    'Say the text back after a while.',
    takes=_object({'text': {'type': 'string'}, 'seconds': {'type': 'number'}}),
    hints=_READS,
)
async def _slow_echo(workshop: Workshop, arguments: dict[str, Any]) -> types.CallToolResult:
    workshop.running += 1
    workshop.most_at_once = max(workshop.most_at_once, workshop.running)
    try:
        await anyio.sleep(arguments['seconds'])
    finally:
        workshop.running -= 1
    return _text(arguments['text'])


@_offer('photo', 'Take a photo of the workshop.')
async def _photo(_: Workshop, __: dict[str, Any]) -> types.CallToolResult:
    return types.CallToolResult(content=[types.ImageContent(type='image', data=_PIXEL, mime_type='image/png')])


@_offer(
    'ledger.read',
    'List all calls before this one, and how many slow ones ran at once.',
    returns=_object({'calls': {'type': 'array', 'items': {'type': 'object'}}, 'most_at_once': {'type': 'integer'}}),
    hints=_READS,
)
async def _read_ledger(workshop: Workshop, _: dict[str, Any]) -> types.CallToolResult:
    return _structured({'calls': workshop.calls[:-1], 'most_at_once': workshop.most_at_once})


@_offer('ledger-clear', 'Forget all calls and start counting again.', hints=_DESTROYS)
async def _clear_ledger(workshop: Workshop, _: dict[str, Any]) -> types.CallToolResult:
    workshop.calls, workshop.counter, workshop.most_at_once = [], 0, 0
    return _text('cleared')


async def serve() -> None:
    """Serve over stdio until the client disconnects."""
    workshop = Workshop()

    async def list_tools(*_: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool for tool, _ in _OFFERED.values()])

    async def call_tool(_: object, call: types.CallToolRequestParams) -> types.CallToolResult:
        arguments = call.arguments or {}
        workshop.calls.append({'tool': call.name, 'arguments': arguments})
        return await _OFFERED[call.name][1](workshop, arguments)

    server = Server('workshop', on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == '__main__':
    anyio.run(serve)
