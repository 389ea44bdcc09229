"""Functions whose annotations are only roughly true, as they are in the wild."""

from typing import Any

from tests.corpus.table import Table
from toolscript_sandbox import Call, Function

_STUBS = {
    'get_info': 'async def get_info(name: str) -> dict[str, str | float]: ...\n',
    'get_list': 'async def get_list() -> list: ...\n',
    'get_dict': 'async def get_dict(x: int) -> dict: ...\n',
    'get_str': 'async def get_str(q: str) -> str: ...\n',
    'untyped': 'async def untyped(a, b=...): ...\n',
    'nums': 'async def nums(values: list[float]) -> float: ...\n',
    'opt': 'async def opt(x: int | None = ...) -> dict[str, int] | None: ...\n',
    'tup': 'async def tup() -> tuple[str, int]: ...\n',
    'recs': 'from typing import Any\nasync def recs(filters: dict[str, Any] | None = ...) -> list[dict[str, str]]: ...\n',
    'lit': "from typing import Literal\nasync def lit(mode: Literal['a','b'], level: Literal[1,2,3] = ...) -> bool: ...\n",
    'td': """from typing import TypedDict, NotRequired
class Address(TypedDict):
    street: str
    zip: NotRequired[str]
class Person(TypedDict):
    name: str
    address: Address
    tags: list[str]
    scores: dict[str, float]
async def td(person: Person) -> Person: ...
""",
    'sync_add': 'def sync_add(a: int, b: int) -> int: ...\n',
    'sync_get': 'def sync_get(k: str) -> dict[str, int]: ...\n',
    'nested': """from typing import Any, TypedDict
class Page(TypedDict):
    items: list[dict[str, Any]]
    next: str | None
    total: int
async def nested(cursor: str | None = ...) -> Page: ...
""",
    'obj': 'async def obj() -> object: ...\n',
    'bytes_': 'async def bytes_() -> bytes: ...\n',
    'none': 'async def none(x: str) -> None: ...\n',
    'search_tools': 'from typing import Any\nasync def search_tools(query: str, max_results: int = ...) -> list[dict[str, Any]]: ...\n',
}

LOOSE = Table({name: Function(name, stub, stub.startswith('def')) for name, stub in _STUBS.items()})

_PAGES = {
    'None': {'items': [{'id': 1, 'v': 2.5}], 'next': 'p2', 'total': 2},
    'p2': {'items': [{'id': 2, 'v': 1}], 'next': None, 'total': 2},
}
_ANSWERS: dict[str, Any] = {
    'get_info': {'name': 'x', 'price': 3.5, 'count': 2, 'tags': ['a'], 'sub': {'k': 1}},
    'get_list': [{'id': 1, 'name': 'n'}, {'id': 2, 'name': 'm'}],
    'get_dict': {'a': {'b': [1, 2]}},
    'get_str': '{"temp": 21, "list": [1]}',
    'untyped': {'z': 1},
    'nums': 2.0,
    'opt': {'n': 4},
    'tup': ['a', 1],
    'recs': [{'id': 1, 'price': 2.5, 'name': 'x'}],
    'lit': True,
    'sync_add': 7,
    'sync_get': {'k': 3},
    'obj': {'a': 1},
    'bytes_': 'x',
    'none': None,
    'search_tools': [{'name': 'get_info'}],
}


async def answer_loosely(call: Call) -> Any:
    """What the annotations say only in part."""
    first = call.args[0] if call.args else next(iter(call.kwargs.values()), None)
    if call.function == 'td':
        return first
    return _PAGES[str(first)] if call.function == 'nested' else _ANSWERS[call.function]
