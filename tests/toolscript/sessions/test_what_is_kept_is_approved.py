"""Anyone who is asked about a function sees its code and its tools, and what was shown is what is kept."""

from typing import Any

import pytest
from pydantic_ai.tools import DeferredToolRequests, ToolApproved, ToolDenied

from tests.toolscript.sessions.offices import SAVE, Office, of_user
from toolscript import MemoryStore, PendingCall, SavedFunctions, pending_calls, resolve

pytestmark = pytest.mark.anyio

USE = "await top_customers('NO', 1)"


def asked(office: Office) -> PendingCall:
    """The one call that waits."""
    assert isinstance(office.output, DeferredToolRequests)
    [call] = pending_calls(office.output)
    return call


async def test_an_approval_shows_the_code_and_the_tools_and_what_was_shown_is_kept() -> None:
    functions = of_user(approve=True)
    office = Office(functions)
    await office.run(SAVE)
    call = asked(office)
    assert (call.tool_name, call.kind, call.metadata) == (
        'save_function',
        'approval',
        {'scope': 'user', 'replaces': None},
    )
    assert {name: value for name, value in call.args.items() if name != 'code'} == {
        'name': 'top_customers',
        'description': 'Customers who spent most in a country.',
        'tools': ['async def orders_of(country: str) -> list[dict]: ...'],
        'functions': [],
        'replace': False,
    }
    assert await functions.saved('ann') == []
    [answer] = await office.decide(resolve(office.output, {call.tool_call_id: True}))
    assert answer == 'top_customers is saved, version 1.'
    [kept] = await functions.saved('ann')
    assert kept.code == call.args['code']
    assert await office.run(USE, chat='another') == [[['ann', 7, 'EUR']]]


async def test_what_is_denied_is_not_kept() -> None:
    functions = of_user(approve=True)
    office = Office(functions)
    caught = SAVE.replace('await save', 'try:\n    await save')
    caught += '\nexcept PermissionError as error:\n    said = str(error)\nsaid'
    await office.run(caught)
    denial = ToolDenied('Not this one.')
    [answer] = await office.decide(resolve(office.output, {asked(office).tool_call_id: denial}))
    assert answer == 'save_function was not approved: Not this one.'
    assert await functions.saved('ann') == []


async def test_a_reviewer_sees_what_is_replaced_and_may_change_the_code_as_far_as_it_is_one_function() -> None:
    functions = of_user(approve=True)
    replaced = list[Any]()
    for code, kept in (
        ('def top_customers():\n    return 5\n', True),
        ("await orders_of('NO')\ndef top_customers():\n    return 5\n", False),
    ):
        office = Office(functions)
        await office.run(SAVE.replace("')", "', replace=True)"), chat=code)
        call = asked(office)
        replaced.append((call.metadata or {})['replaces'])
        changed = ToolApproved(override_args={**call.args, 'code': code})
        [answer] = await office.decide(resolve(office.output, {call.tool_call_id: changed}), chat=code)
        assert ('is saved, version' in answer) is kept
    assert replaced == [None, {'version': 1, 'code': 'def top_customers():\n    return 5\n'}]
    assert await Office(functions).run('top_customers()', chat='another') == [5]


async def test_what_is_for_all_is_approved_by_default_and_found_by_all() -> None:
    functions = SavedFunctions(MemoryStore(), scope='all')
    office = Office(functions)
    await office.run(SAVE)
    await office.decide(resolve(office.output, {asked(office).tool_call_id: True}))
    assert await office.run(USE, user='bob', chat='another') == [[['ann', 7, 'EUR']]]
    [kept] = await functions.saved()
    assert kept.conversation_id == 'chat'


async def test_a_script_that_waits_continues_with_the_function_that_it_found() -> None:
    functions = of_user(approve=True)
    office = Office(functions)
    await office.run(SAVE)
    await office.decide(resolve(office.output, {asked(office).tool_call_id: True}))
    other = 'def one() -> int:\n    return 1\n'
    await office.run(f"{other}await save_function(one, 'One.')\n{USE}", chat='another')
    await functions.delete('top_customers', 'ann')
    results = resolve(office.output, {asked(office).tool_call_id: True})
    assert await office.decide(results, chat='another') == [[['ann', 7, 'EUR']]]
