"""Functions whose annotations are only approximately true, as in real code."""

from typing import Any

from tests.corpus.table import functions
from toolscript_sandbox import Call

LOOSE = functions('loose_functions.txt')

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
    """Answer with values that the annotations describe only in part."""
    first = call.args[0] if call.args else next(iter(call.kwargs.values()), None)
    if call.function == 'td':
        return first
    return _PAGES[str(first)] if call.function == 'nested' else _ANSWERS[call.function]
