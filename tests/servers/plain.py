"""The protocol of MCP servers in a few lines: a server that imports a library for it takes a second to start."""

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any


def serve(name: str, tools: Callable[[], Sequence[object]], call: Callable[[str, dict[str, Any]], object]) -> None:
    """Answer requests; `tools` returns the tools, and `call` the result of one, or None for no answer."""

    def answer(method: str, params: Any = None, **_: object) -> Any:
        match method:
            case 'initialize':
                server = {'name': name, 'version': '1'}
                version = params['protocolVersion']
                return {'protocolVersion': version, 'capabilities': {'tools': {}}, 'serverInfo': server}
            case 'tools/list':
                return {'tools': tools()}
            case 'tools/call':
                return call(params['name'], params.get('arguments') or {})
            case _:
                return {}

    for line in sys.stdin:
        message = json.loads(line)
        if 'id' in message and (result := answer(**message)) is not None:
            say(message['id'], result=result)


def say(number: int, **answer: object) -> None:
    print(json.dumps({'jsonrpc': '2.0', 'id': number, **answer}), flush=True)


def text(content: str, **more: object) -> dict[str, Any]:
    """Return a result."""
    return {'content': [{'type': 'text', 'text': content}], **more}
