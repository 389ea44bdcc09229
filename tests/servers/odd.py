"""An MCP server that lists invalid tools.

Usage: ``python odd.py TOOLS``, where TOOLS is the JSON of tools, listed in addition to the valid one `add`; or of a
text, with which everything is refused. The `_meta` of a tool is included in its results, which have as many items as
its `parts` says.
"""

import json
import sys
from typing import Any

from plain import say, serve, text

_TOOLS: Any = json.loads(sys.argv[1])
_NUMBERS = {name: {'type': 'integer'} for name in 'ab'}
_ADD = {'name': 'add', 'description': 'Add.', 'inputSchema': {'type': 'object', 'properties': _NUMBERS}}


def _call(name: str, arguments: object) -> dict[str, Any]:
    gives = {tool['name']: tool.get('_meta', {}) for tool in _TOOLS if 'name' in tool}.get(name, {})
    result = text(f'{name} of odd', **gives)
    return {**result, 'content': result['content'] * gives.get('parts', 1)}


if isinstance(_TOOLS, str):
    for line in sys.stdin:
        if 'id' in (message := json.loads(line)):
            say(message['id'], error={'code': 1, 'message': _TOOLS})
else:
    serve('odd', lambda: [_ADD, *_TOOLS], _call)
