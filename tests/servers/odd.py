"""An MCP server that lists what is no valid tool: it writes the protocol by hand, since no library would.

Usage: ``python odd.py TOOLS``, where TOOLS is the JSON of tools, listed beside the good one `add`.
"""

import json
import sys
from typing import Any

_NUMBERS = {name: {'type': 'integer'} for name in 'ab'}
_ADD = {'name': 'add', 'description': 'Add.', 'inputSchema': {'type': 'object', 'properties': _NUMBERS}}


def _answer(method: str, params: Any) -> Any:
    match method:
        case 'initialize':
            server = {'name': 'odd', 'version': '1'}
            version = params['protocolVersion']
            return {'protocolVersion': version, 'capabilities': {'tools': {}}, 'serverInfo': server}
        case 'tools/list':
            return {'tools': [_ADD, *json.loads(sys.argv[1])]}
        case 'tools/call':
            return {'content': [{'type': 'text', 'text': f'{params["name"]} of odd'}]}
        case _:
            return {}


for line in sys.stdin:
    message = json.loads(line)
    if 'id' in message:
        answer = {'jsonrpc': '2.0', 'id': message['id'], 'result': _answer(message['method'], message.get('params'))}
        print(json.dumps(answer), flush=True)
