"""An MCP server of small, ordinary tools: an issue tracker."""

from plain import serve, text

_TOOLS = {
    'search_issues': 'Find issues by words in them.',
    'search_code': 'Find lines of code.',
    'get_issue': 'All of one issue.',
    'create_issue': 'Open an issue.',
    'close_issue': 'Close an issue.',
}
_SCHEMA = {'type': 'object', 'properties': {'about': {'type': 'string'}}, 'required': ['about']}

serve(
    'issues',
    lambda: [
        {'name': name, 'description': description, 'inputSchema': _SCHEMA} for name, description in _TOOLS.items()
    ],
    lambda name, arguments: text(f'{name}: {arguments.get("about")}'),
)
