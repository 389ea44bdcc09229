"""Functions that cases may call: the sandbox's dispatcher and CPython run the same ones."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

USERS = [
    {'id': 1, 'name': 'Ada', 'team': 'core', 'age': 36},
    {'id': 2, 'name': 'Bob', 'team': 'core', 'age': 41},
    {'id': 3, 'name': 'Cy', 'team': 'web', 'age': 29},
]


class CaseTools:
    """The functions and their state. Each case gets its own instance."""

    def __init__(self) -> None:
        self._balance = 0
        self._next = 0
        self.log: list[str] = []
        """The calls with their arguments, in the order in which they started."""

    async def add(self, a: int, b: int) -> int:
        return a + b

    async def echo(self, value: Any) -> Any:
        """What it was given."""
        return value

    async def fail(self, message: str) -> None:
        raise ValueError(message)

    async def unreachable(self, host: str) -> None:
        raise ConnectionError(f'{host} is offline')

    async def get_user(self, user_id: int) -> dict[str, Any]:
        return dict(next(user for user in USERS if user['id'] == user_id))

    async def list_users(self, team: str | None = None) -> list[dict[str, Any]]:
        return [dict(user) for user in USERS if team in (None, user['team'])]

    async def slow(self, value: Any, seconds: float = 0.02) -> Any:
        """What it was given, after a while."""
        await asyncio.sleep(seconds)
        return value

    async def deposit(self, amount: int) -> int:
        """The new balance."""
        self._balance += amount
        return self._balance

    async def balance(self) -> int:
        return self._balance

    def next_number(self) -> int:
        """1, 2, 3 and so on; called without `await`."""
        self._next += 1
        return self._next

    def give_back(self, value: Any) -> Any:
        """What it was given; called without `await`."""
        return value

    def namespace(self) -> dict[str, Callable[..., Any]]:
        """Return the functions by name, each logging its calls."""
        return {name: self._logged(name, getattr(self, name)) for name in NAMES}

    def _logged(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)

        def start(*args: Any, **kwargs: Any) -> dict[str, Any]:
            given = signature.bind(*args, **kwargs).arguments
            self.log.append(f'{name}({", ".join(f"{key}={value!r}" for key, value in given.items())})')
            return given

        async def called(*args: Any, **kwargs: Any) -> Any:
            return await function(**start(*args, **kwargs))

        def called_at_once(*args: Any, **kwargs: Any) -> Any:
            return function(**start(*args, **kwargs))

        return called if inspect.iscoroutinefunction(function) else called_at_once


def stub(name: str) -> str:
    function = getattr(CaseTools, name)
    parameters = list(inspect.signature(function).parameters.values())[1:]
    signature = inspect.signature(function).replace(parameters=parameters)
    word = 'async def' if inspect.iscoroutinefunction(function) else 'def'
    return f'from typing import Any\n{word} {name}{signature}: ...\n'.replace("'", '')


NAMES = tuple(name for name in vars(CaseTools) if not name.startswith('_') and name != 'namespace')
