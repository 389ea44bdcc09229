"""A shop in an SQLite file, whose refunds can be undone."""

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from toolscript import FunctionToolset, ScriptCall, Undo

FORTY = """
done = []
for order in await orders():
    done.append((await refund(order=order, amount=order + 1))['refund'])
len(done)
"""


class Shop:
    """The shop and its tools."""

    def __init__(self, file: Path, *, orders: int = 40) -> None:
        self.file = file
        self.refused = set[int]()
        """Refunds that cannot be undone at the moment."""
        self.log = list[str]()
        with self._open() as world:
            world.execute('create table if not exists orders (number integer primary key)')
            world.execute('create table if not exists refunds (number integer primary key, amount integer)')
            world.executemany('insert or ignore into orders values (?)', [(n,) for n in range(orders)])
        self.tools = FunctionToolset[object](id='shop')
        self.tools.tool_plain(metadata={'read_only': True})(self.orders)
        self.tools.tool_plain(undo=self.undo_refund)(self.refund)
        self.tools.tool_plain(self.take_back)
        self.tools.tool_plain(undo='none')(self.mail)

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.file, timeout=30)) as world, world:
            yield world

    async def orders(self) -> list[int]:
        with self._open() as world:
            return [number for (number,) in world.execute('select number from orders order by number')]

    async def refund(self, order: int, amount: int) -> dict[str, Any]:
        if order < 0:
            raise ValueError('There is no such order.')
        self.log.append(f'refund {order}')
        with self._open() as world:
            world.execute('insert into refunds values (?, ?)', (1000 + order, amount))
        return {'refund': 1000 + order, 'status': 'ok'}

    async def take_back(self, refund: int) -> str:
        self.log.append(f'take back {refund}')
        if refund in self.refused:
            raise ValueError('The bank is closed.')
        with self._open() as world:
            if world.execute('delete from refunds where number = ?', (refund,)).rowcount != 1:
                raise RuntimeError(f'There is no refund {refund}.')
        return 'ok'

    async def mail(self, text: str) -> str:
        self.log.append(f'mail {text}')
        return text

    @staticmethod
    def undo_refund(call: ScriptCall, result: Any) -> Undo | None:
        assert call.arguments['order'] == result['refund'] - 1000
        return Undo('take_back', refund=result['refund'])

    @property
    def rows(self) -> list[tuple[int, int]]:
        with self._open() as world:
            return world.execute('select number, amount from refunds order by number').fetchall()

    @property
    def content(self) -> list[str]:
        with self._open() as world:
            return list(world.iterdump())
