"""What a failed script read is no answer for the next one once something may have changed."""

from typing import Any

import pytest
from pydantic_ai.toolsets import FunctionToolset

from tests.toolscript.scripted import Script, play, run_code
from toolscript import CodeModeToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


class Bank:
    """An account, whose tools say as much of themselves as they are told to."""

    def __init__(self, **metadata: Any) -> None:
        self.money = 100
        self.log: list[str] = []
        self.toolset = FunctionToolset[object]()
        self.toolset.tool_plain(metadata=metadata or None)(self.balance)
        self.toolset.tool_plain(self.deposit)
        self.toolset.tool_plain(self.rate)
        self.toolset.tool_plain(self.get_owner)
        self.toolset.tool_plain(self.broken)

    async def balance(self) -> int:
        """What is on the account."""
        self.log.append('balance')
        return self.money

    async def deposit(self, amount: int) -> int:
        """Pay in."""
        self.log.append('deposit')
        self.money += amount
        return amount

    async def rate(self) -> float:
        """The rate of interest."""
        self.log.append('rate')
        return 0.5

    async def get_owner(self) -> str:
        """Whose it is."""
        self.log.append('get_owner')
        return 'Ada'

    async def broken(self) -> None:
        """Never works."""
        raise ValueError('out of order')


FAILS = 'before = await balance()\nawait deposit(50)\n1 / 0'


async def after(bank: Bank, *codes: str) -> Script:
    return await play(CodeModeToolset(bank.toolset), *map(run_code, codes))


def failure(script: Script, place: int) -> str:
    return str(script.answers[place])


async def test_a_read_from_before_a_change_is_refused_with_what_it_gave() -> None:
    bank = Bank()
    script = await after(bank, FAILS, 'await balance()', 'await balance()')
    assert bank.log == ['balance', 'deposit', 'balance']
    assert script.answers[-1] == 150
    assert (
        'balance already ran with these arguments in a failed script and returned 100. deposit ran since, so this '
        'may be outdated. balance is not marked as read-only, so it was not run again. Use that value, or call it '
        'in a later script, which runs it again.'
    ) in failure(script, 1)


async def test_the_same_plan_goes_on_where_it_was() -> None:
    bank = Bank()
    script = await after(bank, FAILS, 'before = await balance()\nawait deposit(50)\n[before, await balance()]')
    assert script.answers[-1] == [100, 150]
    assert bank.log == ['balance', 'deposit', 'balance']


async def test_a_plan_inside_a_function_of_an_earlier_script_goes_on_too() -> None:
    bank = Bank()
    function = 'async def pay():\n    before = await balance()\n    await deposit(50)\n    return before\n'
    script = await after(bank, function + 'await pay()\n1 / 0', 'await pay()')
    assert script.answers[-1] == 100
    assert bank.log == ['balance', 'deposit']


async def test_a_read_after_a_change_of_the_same_script_is_never_answered_from_memory() -> None:
    bank = Bank()
    script = await after(bank, FAILS, 'await deposit(50)\nawait balance()')
    assert 'returned 100' in failure(script, 1)
    again = await after(Bank(), 'await balance()\n1 / 0', 'await deposit(1)\nawait balance()')
    assert 'returned 100' in failure(again, 1)


@pytest.mark.parametrize('later', ['await get_owner()', 'try:\n    await broken()\nexcept Exception: pass'])
async def test_neither_a_read_nor_a_failed_call_makes_a_result_old(later: str) -> None:
    bank = Bank()
    script = await after(bank, f'await rate()\n{later}\n1 / 0', 'await rate()')
    assert script.answers[-1] == 0.5
    assert bank.log.count('rate') == 1
