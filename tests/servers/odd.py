"""An MCP server that lists invalid tools: it writes the protocol itself, because no library would do that.

Usage: ``python odd.py TOOLS``, where TOOLS is the JSON of tools, listed in addition to the valid one `add`; or of a
text, with which everything is refused. The `_meta` of a tool is included in its results, which have as many items as
its `parts` says.
"""

import json
import sys
from typing import Any

_TOOLS: Any = json.loads(sys.argv[1])
_NUMBERS = {name: {'type': 'integer'} for name in 'ab'}
_ADD = {'name': 'add', 'description': 'Add.', 'inputSchema': {'type': 'object', 'properties': _NUMBERS}}


def _answer(method: str, params: Any = None, **_: object) -> Any:
    match method:
        case 'initialize':
            server = {'name': 'odd', 'version': '1'}
            version = params['protocolVersion']
            return {'protocolVersion': version, 'capabilities': {'tools': {}}, 'serverInfo': server}
        case 'tools/list':
            return {'tools': [_ADD, *_TOOLS]}
        case 'tools/call':
            gives = {tool['name']: tool.get('_meta', {}) for tool in _TOOLS if 'name' in tool}
            text = {'type': 'text', 'text': f'{params["name"]} of odd'}
            more = gives.get(params['name'], {})
            return {'content': [text] * more.get('parts', 1), **more}
        case _:
            return {}


for line in sys.stdin:
    message = json.loads(line)
    if 'id' in message:
        refused = isinstance(_TOOLS, str)
        answer = {'error': {'code': 1, 'message': _TOOLS}} if refused else {'result': _answer(**message)}
        print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], **answer}), flush=True)
