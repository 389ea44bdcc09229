"""Objects of classes that inherit from `list` and `dict`, where they leave a snippet: to functions, later snippets, other workers."""

from __future__ import annotations

from typing import Any

import pytest

from toolscript_sandbox import Call, Completed, Function, Sandbox, Session, Suspended, Wait

pytestmark = pytest.mark.anyio

CLASSES = """\
class Basket(list):
    def __init__(self, items=()):
        super().__init__(items)
        self.owner = 'Ada'
    def total(self):
        return sum(item['price'] for item in self)
class Settings(dict):
    def __missing__(self, key):
        return f'no {key}'
basket = Basket([{'price': 2}, {'price': 3}])
settings = Settings(host='a')
"""


class Functions:
    """Functions with types."""

    def get(self, name: str, /) -> Function | None:
        """One of them."""
        return Function(name, _STUBS[name]) if name in _STUBS else None

    def hint(self, name: str, /) -> str | None:
        """Nothing to say."""


_STUBS = {
    'order': 'async def order(items: list[dict[str, int]], settings: dict[str, str]) -> int: ...\n',
    'approve': 'async def approve(items: list[dict[str, int]]) -> int: ...\n',
}


async def _ended(session: Session, code: str, asked: list[dict[str, Any]] | None = None) -> Any:
    async def answer(call: Call) -> Any:
        if asked is not None:
            asked.append(call.kwargs)
        return 1

    outcome = await session.run(code, Functions(), answer)
    assert isinstance(outcome, Completed), outcome
    return outcome.value


async def test_functions_get_a_list_and_a_dict() -> None:
    asked = list[dict[str, Any]]()
    async with Sandbox.shared().session() as session:
        await _ended(session, f'{CLASSES}await order(items=basket, settings=settings)', asked)
    assert asked == [{'items': [{'price': 2}, {'price': 3}], 'settings': {'host': 'a'}}]
    assert [type(value) for value in asked[0].values()] == [list, dict]


async def test_a_result_is_what_the_objects_keep() -> None:
    async with Sandbox.shared().session() as session:
        assert await _ended(session, f"{CLASSES}{{'basket': basket, 'all': [settings]}}") == {
            'basket': [{'price': 2}, {'price': 3}],
            'all': [{'host': 'a'}],
        }


async def test_later_snippets_find_them_as_they_are() -> None:
    async with Sandbox.shared().session() as session:
        await _ended(session, CLASSES)
        await _ended(session, "basket.append({'price': 4})\nsettings['port'] = '1'")
        shown = await _ended(
            session,
            'import json\n'
            'd = {}\n'
            'd.update(settings)\n'
            "[basket.total(), basket.owner, isinstance(basket, list), settings['x'], json.dumps(settings), d, basket[1:],\n"
            " '%(host)s' % settings, '{host} {q}'.format_map(settings), dict.get(settings, 'q'), len(basket), not Basket()]",
        )
    kept = {'host': 'a', 'port': '1'}
    assert shown == [
        *[9, 'Ada', True, 'no x', '{"host": "a", "port": "1"}', kept, [{'price': 3}, {'price': 4}]],
        *['a', 'a no q', None, 3, True],
    ]


async def test_they_wait_with_their_script_and_go_on_elsewhere() -> None:
    async def wait(call: Call) -> Any:
        raise Wait(call.function)

    async def answer(call: Call) -> Any:
        return 5

    async with Sandbox.shared().session() as session:
        waiting = await session.run(
            f"{CLASSES}n = await approve(basket)\nbasket.append({{'price': n}})\n[basket.total(), settings['x'], basket]",
            Functions(),
            wait,
        )
    assert isinstance(waiting, Suspended), waiting
    async with Sandbox.shared().session() as session:
        outcome = await session.resume(waiting.state, Functions(), answer)
    assert isinstance(outcome, Completed), outcome
    assert outcome.value == [10, 'no x', [{'price': 2}, {'price': 3}, {'price': 5}]]
