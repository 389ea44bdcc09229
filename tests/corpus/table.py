"""Functions as an agent might offer them, with stubs and constant answers."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from toolscript_sandbox import Call, Function, ToolError


class Table(dict[str, Function]):
    """The functions by name."""

    def hint(self, name: str, /) -> str | None:
        """Return the functions that share a word with the name."""
        words = set(name.split('_'))
        close = [known for known in self if words & set(known.split('_'))]
        return f'Did you mean {", ".join(sorted(close))}?' if close else None


def functions(file: str) -> Table:
    """Read the functions of a file in this folder; its parts have the types that their functions share."""
    found = Table()
    for part in Path(__file__).with_name(file).read_text().split('---\n'):
        start = re.search(r'^(async )?def ', part, re.MULTILINE)
        assert start is not None
        types, definitions = part[: start.start()], part[start.start() :]
        for one in definitions.splitlines():
            name = one.partition('(')[0].split()[-1]
            found[name] = Function(name, f'{types}{one}\n', one.startswith('def'), one)
    return found


TABLE = functions('functions.txt')

_USERS = [
    {'id': 1, 'name': 'Ada Byron', 'email': 'ada@corp.example', 'team': 'core', 'active': True, 'manager_id': None},
    {'id': 2, 'name': 'Bob Stone', 'email': 'bob@corp.example', 'team': 'core', 'active': False, 'manager_id': 1},
    {'id': 3, 'name': 'Cy Young', 'email': 'cy@corp.example', 'team': 'web', 'active': True, 'manager_id': 1},
]
_ISSUES = [
    {
        'id': 10 + n,
        'title': title,
        'status': 'open' if n % 3 else 'closed',
        'priority': ['low', 'medium', 'high'][n % 3],
        'assignee': [None, 'ada', 'bob'][n % 3],
        'labels': ['bug', 'ui'] if n % 2 else ['docs'],
        'created_at': f'2024-03-{n + 1:02}T09:30:00',
        'comments': n,
    }
    for n, title in enumerate(['Login fails', 'Typo in help', 'Crash on save', 'Slow search', 'Dark mode'])
]
_ORDERS = [
    {
        'id': f'o{n}',
        'customer_id': 'c1',
        'total': 20.5 * n,
        'currency': 'EUR',
        'status': 'paid' if n % 2 else 'shipped',
        'items': [{'sku': f's{n}', 'quantity': n, 'price': 20.5}],
        'placed_at': f'2024-0{n}-15',
    }
    for n in range(1, 4)
]
_PAGE = {'title': 'Example', 'links': ['/a', '/b'], 'meta': {'views': 12, 'tags': ['x']}, 'body': 'Call +1 555 0100'}
_ROWS = [
    {'region': 'EU', 'amount': 120.0, 'n': 3, 'day': '2024-01-02'},
    {'region': 'US', 'amount': 80.5, 'n': 2, 'day': '2024-01-03'},
    {'region': 'EU', 'amount': 40.0, 'n': 1, 'day': '2024-02-01'},
]
_EVENTS = [
    {'title': 'Standup', 'start': '09:00', 'end': '09:15', 'attendees': ['ada', 'bob']},
    {'title': 'Review', 'start': '14:00', 'end': '15:30', 'attendees': ['ada']},
]


async def answer(call: Call) -> Any:
    """Return the function's answer. Raises `ToolError` if the item does not exist."""
    first = call.args[0] if call.args else next(iter(call.kwargs.values()), None)
    if first in ('missing', 404):
        raise ToolError('ValueError', f'{first} does not exist')
    return _answer(call.function, first, call)


def _answer(name: str, first: Any, call: Call) -> Any:
    match name:
        case 'get_user':
            return _USERS[(int(first) - 1) % 3] | {'id': first}
        case 'list_users':
            return [user for user in _USERS if first in (None, 50, user['team'])] or _USERS
        case 'search_issues':
            return _ISSUES
        case 'create_issue':
            return _ISSUES[0] | {'id': 99, 'title': first}
        case 'update_issue':
            return _ISSUES[1] | {'id': first}
        case 'add_comment':
            return {'id': 500, 'issue_id': first, 'text': 'noted'}
        case 'list_orders':
            return _ORDERS
        case 'get_order':
            return _ORDERS[0] | {'id': first}
        case _:
            return _FIXED[name](first)


_FIXED: dict[str, Callable[[Any], Any]] = {
    'get_weather': lambda city: {'city': city, 'temperature': 21.5, 'humidity': 40.0, 'condition': 'sunny'},
    'get_forecast': lambda city: [
        {'day': f'2024-05-0{n}', 'high': 20 + n, 'low': 10 + n, 'rain': 0.1 * n, 'city': city} for n in range(1, 4)
    ],
    'refund_order': lambda order: {'order_id': order, 'refunded': True, 'amount': 5.0},
    'get_product': lambda sku: {'sku': sku, 'name': f'Product {sku}', 'price': 9.5, 'stock': 4, 'tags': ['new']},
    'search_products': lambda query: [
        {'sku': f'p{n}', 'name': f'{query} {n}', 'price': 5.0 * n, 'stock': n} for n in range(1, 4)
    ],
    'convert_currency': lambda amount: round(amount * 1.1, 2),
    'send_email': lambda _: True,
    'read_file': lambda path: f'# {path}\nname,age\nada,36\nbob,41\nERROR 2024-01-01 disk full\n',
    'list_files': lambda _: ['/a.txt', '/b.csv', '/c.log'],
    'run_query': lambda _: _ROWS,
    'get_page': lambda url: _PAGE | {'url': url},
    'translate': lambda text: f'<{text}>',
    'get_calendar': lambda _: _EVENTS,
    'book_room': lambda room: {'room': room, 'start': '09:00', 'end': '10:00', 'confirmed': True},
    'next_ticket_number': lambda _: 41,
    'get_stock_price': lambda symbol: {'open': 10.0, 'close': 12.5, 'high': 13.0, 'low': 9.5},
    'get_repo': lambda owner: {
        'full_name': f'{owner}/x',
        'stars': 120,
        'language': 'Python',
        'owner': {'login': owner, 'url': 'u'},
        'topics': ['ai'],
    },
    'geocode': lambda _: {'lat': 52.5, 'lon': 13.4, 'display-name': 'Berlin'},
    'list_metrics': lambda _: {'cpu': 0.5, 'memory': 0.25},
}
