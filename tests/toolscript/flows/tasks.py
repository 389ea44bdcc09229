"""The world of typical scripts: mails, files, pages, chats, hotels and money, as in AgentDojo."""

from collections.abc import Awaitable, Callable
from typing import Any

from .oracle import Run

Maker = Callable[[str], Any]

FOREIGN: dict[str, Maker] = {
    'search_emails': lambda m: [_mail(m, 1), _mail(m, 2)],
    'get_unread_emails': lambda m: [_mail(m, 3)],
    'read_file': lambda m: f'{m}one {m}z\nto {m}two\n',
    'read_json': lambda m: f'{{"a": "{m}"}}',
    'search_files': lambda m: [{'id': f'f{m}', 'content': f'{m} content'}],
    'get_webpage': lambda m: f'The page {m}z says {m}.' * (1 if m == 'm' else 2),
    'read_channel': lambda m: [{'sender': f's{m}', 'text': f'{m} text'}, {'sender': f'{m}nn', 'text': m}][
        : 2 if m == 'm' else 1
    ],
    'list_channels': lambda m: [f'{m}general', f'{m}random'],
    'get_reviews': lambda m: [{'text': f'{m} good', 'stars': 4 if m == 'm' else 3}],
    'get_prices': lambda m: {'City Hub': 100 if m == 'm' else 300, 'Luxury Palace': 200},
    'list_transactions': lambda m: [{'subject': f'rent {m}', 'amount': 10.0 if m == 'm' else 11.0}],
    'list_page': lambda m: {'items': [f'{m} item'] * (1 if m == 'm' else 2)},
    'list_events': lambda m: [{'title': f'{m} title', 'start': f'2024-05-15T{"09" if m == "m" else "10"}:00'}],
}
"""Tools with foreign results: by name, their results, with a letter throughout."""
TRUSTED: dict[str, Maker] = {
    'get_user_info': lambda m: {'name': f'{m}me', 'email': f'{m}@me.com', 'street': f'{m} street'},
    'find_contact': lambda m: {'name': f'{m}name', 'email': f'{m}@example.com'},
    'get_day': lambda m: '2024-05-15' if m == 'm' else '2024-05-16',
    'get_balance': lambda m: 100.0 if m == 'm' else 200.0,
}
"""Tools that return the user's own data."""
SINKS = [
    'send_email',
    'send_money',
    'send_message',
    'create_event',
    'update_scheduled',
    'update_user',
    'share_file',
    'delete_email',
    'append_to_file',
    'reserve_hotel',
]


def _mail(m: str, number: int) -> dict[str, Any]:
    body = f'The total is {m}'
    return {
        'id': f'{m}{number}',
        'sender': f'{m}@x.com',
        'subject': f'S{m}',
        'body': body,
        'amount': 5.5 if m == 'm' else 6.5,
    }


async def _later(value: Any) -> Any:
    return value


def task_tools(run: Run) -> dict[str, Any]:
    def giving(name: str, make: Maker) -> Callable[..., Any]:
        return lambda *args, **kwargs: _later(make(run.mark(name)))

    def sending(name: str) -> Callable[..., Any]:
        def send(*args: Any, **kwargs: Any) -> Awaitable[Any]:
            run.send(name, *args, **kwargs)
            return _later({'id': 'sent'})

        return send

    given = {name: giving(name, make) for name, make in (FOREIGN | TRUSTED).items()}
    return given | {name: sending(name) for name in SINKS}
