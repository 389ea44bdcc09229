"""Later runs of the same owner find and call saved functions, as today's tools allow."""

import dataclasses
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, UserError
from pydantic_ai.tools import DeferredToolRequests, ToolApproved, ToolDenied

from tests.toolscript.approvals.conversation import approve_all
from tests.toolscript.lives import in_a_fork
from tests.toolscript.scripted import Script, functions_text, run_code, search
from tests.toolscript.sessions import saved_lab
from tests.toolscript.sessions.offices import SAVE, TOP, Office, of_user, orders_of, tools
from toolscript import CodeMode, MemoryStore, PendingCall, SavedFunctions, Sessions, SqliteStore, pending_calls, resolve

USE = "await top_customers('NO')"
SPENT = [['ann', 7, 'EUR'], ['eve', 5, 'EUR']]


class Counting(MemoryStore):
    """A store that records how many functions each read returned."""

    def __init__(self) -> None:
        super().__init__()
        self.read = list[int]()

    async def newest_versions(self, owner: str, names: Any = None, /) -> Any:
        found = await super().newest_versions(owner, names)
        self.read.append(len(found))
        return found


async def test_a_function_saved_in_one_conversation_is_found_and_called_in_another() -> None:
    office = Office(of_user())
    assert await office.run(SAVE) == ['top_customers is saved, version 1.']
    [found, in_code, spent] = await office.run(
        search('who spent most'), "[f['name'] for f in await search_tools('spent most')]", USE, chat='another'
    )
    assert found['tools'] == [{'name': 'top_customers'}]
    assert (in_code, spent) == (['top_customers'], SPENT)
    text = functions_text(office.description)
    assert text[text.index('async def save_function') :] == snapshot('''\
async def save_function(
 function: Any, # The function, or its name
 description: str, # What it does, in a sentence
 replace: bool = False
) -> str:
 """Save a function that you defined and tried, for later: search_tools finds it by its description. It may use imports, the functions here, other saved functions and constants, nothing else of the script."""

async def top_customers(country: str, count: int = 2) -> list:
 """Customers who spent most in a country."""\
''')


async def test_the_saved_text_of_a_function_is_self_contained() -> None:
    functions = of_user()
    await Office(functions).run(SAVE)
    [kept] = await functions.saved('ann')
    assert (kept.version, kept.functions, kept.conversation_id) == (1, (), 'chat')
    assert kept.tools == ('async def orders_of(country: str) -> list[dict]: ...',)
    assert kept.code == snapshot("""\
from typing import Any
async def top_customers(country: str, count: int = 2) -> list[Any]:
    '''Customers by what they spent.'''
    from collections import Counter
    CURRENCY = {'unit': 'EUR'}
    totals = Counter()
    for order in await orders_of(country):
        totals[order['customer']] += order['total']
    return [[name, total, CURRENCY['unit']] for name, total in totals.most_common(count)]
""")


async def test_two_users_share_no_functions_whatever_their_conversations_are_called() -> None:
    office = Office(of_user())
    await office.run(SAVE, user='ann')
    for chat in ('chat', 'another'):
        [found, refused] = await office.run("await search_tools('spent most')", USE, user='bob', chat=chat)
        assert 'not defined' in found
        assert 'not defined' in refused
    [nobodys] = await office.run(USE, user=None, chat='third')
    assert 'not defined' in nobodys


async def test_by_default_a_function_belongs_to_its_conversation() -> None:
    office = Office(SavedFunctions(MemoryStore()))
    await office.run(SAVE)
    assert await office.run(USE) == [SPENT]
    [refused] = await office.run(USE, chat='another')
    assert 'not defined' in refused


async def test_a_function_whose_tool_has_another_signature_now_is_refused_before_anything_runs() -> None:
    functions, called = of_user(), list[str]()
    await Office(functions).run(SAVE)

    def orders_of(region: str, year: int) -> list[int]:
        called.append('orders_of')
        return []

    def note(text: str) -> None:
        called.append(text)

    [refused] = await Office(functions, tools(orders_of, note)).run(f"await note('first')\n{USE}", chat='another')
    assert refused == snapshot("""\
Nothing was run: the saved function top_customers (version 1) no longer fits:
When it was saved, the tool was: async def orders_of(country: str) -> list[dict]: ...
line 7: for order in await orders_of(country):
                           ^^^^^^^^^^^^^^^^^^
No argument provided for required parameter `year` of function `orders_of`. Signature: async def orders_of(region: str, year: int) -> list[int]: ...
Nothing was run.
Write what it did into your script, with the functions of today.\
""")
    assert called == []


async def test_a_function_whose_tool_is_missing_in_this_run_is_refused() -> None:
    functions = of_user()
    await Office(functions).run(SAVE)
    direct = tools(len).with_metadata(allowed_callers='code')
    [refused] = await Office(functions, direct).run(USE, chat='another')
    assert 'Nothing was run: the saved function top_customers (version 1) no longer fits' in refused
    assert 'Name `orders_of` used when not defined' in refused


async def test_functions_that_call_each_other_are_loaded_together_within_a_bound() -> None:
    functions = of_user(store := MemoryStore())
    office = Office(functions)
    more = """
async def best_customer(country: str) -> str:
    return (await top_customers(country, 1))[0][0]
await save_function('best_customer', 'Who spent most.')
"""
    await office.run(SAVE)
    assert await office.run(more, chat='second') == ['best_customer is saved, version 1.']
    assert await office.run("await best_customer('NO')", chat='third') == ['ann']
    [kept] = [one for one in await functions.saved('ann') if one.name == 'best_customer']
    assert (kept.tools, kept.functions) == ((), ('top_customers',))
    for (_, name), versions in store.functions.items():
        if name == 'top_customers':
            versions[1] = versions[1].replace('"functions": []', '"functions": ["best_customer"]')
    [refused] = await office.run("await best_customer('NO')", chat='fourth')
    assert 'it calls itself through other saved functions' in refused


@pytest.mark.parametrize(
    ('code', 'reason'),
    [
        ('def f(x):\n    return x + y\ny = [0][0]', 'the variable y, which is not a literal: make it a parameter'),
        ('def g():\n    return 1\ndef f():\n    return g()', 'g(), which is not saved: save it first'),
        ('class C:\n    x = 1\ndef f():\n    return C.x', 'the class C: define it inside'),
        ('LIMIT = 5\ndef f(x=LIMIT):\n    return x', 'LIMIT in its first lines: write the value there'),
        ('count = 0\ndef f():\n    global count\n    count += 1', 'changes variables outside of it'),
        ('f = lambda: 1', 'must be defined once, by a def at the top level'),
        ('f = 1', 'must be defined once, by a def at the top level'),
    ],
)
async def test_a_function_that_is_not_self_contained_is_refused_with_the_missing_names(code: str, reason: str) -> None:
    functions = of_user()
    [refused] = await Office(functions).run(f"{code}\nawait save_function('f', 'Some function.')")
    assert reason in refused
    assert await functions.saved('ann') == []


@pytest.mark.parametrize(
    ('name', 'reason'),
    [
        ('orders_of', 'orders_of is a tool'),
        ('sorted', "sorted is a name of Python's own"),
        ('search_tools', 'search_tools is a'),
        ('Top', 'use lower-case letters'),
        ('nothing', 'no script of this run has defined nothing'),
    ],
)
async def test_conflicting_names_are_refused_with_advice(name: str, reason: str) -> None:
    define = '' if name == 'nothing' else f'def {name}(x):\n    return 1\n'
    [refused] = await Office(of_user()).run(f"{define}await save_function('{name}', 'Some function.')")
    assert reason in refused


async def test_an_existing_name_gets_a_new_version_only_on_request() -> None:
    office = Office(of_user())
    again = SAVE.replace('count: int = 2', 'count: int = 1')
    await office.run(SAVE)
    [same, refused, replaced] = await office.run(SAVE, again, again.replace("')", "', replace=True)"), chat='second')
    assert same == 'top_customers is saved, version 1.'
    assert (
        'a saved function top_customers exists already (version 1: Customers who spent most in a country.)' in refused
    )
    assert replaced == 'top_customers is saved, version 2.'
    assert await office.run(USE, chat='third') == [SPENT[:1]]


async def test_an_application_lists_restores_and_deletes_versions() -> None:
    functions = of_user(max_versions=3)
    office = Office(functions)
    for number in range(1, 6):
        code = f"def f() -> int:\n    return {number}\nawait save_function(f, 'A number.', replace=True)"
        await office.run(code)
    assert [one.version for one in await functions.versions('f', 'ann')] == [3, 4, 5]
    assert (await functions.restore('f', 3, 'ann')).version == 6
    assert await office.run('f()', chat='another') == [3]
    assert await functions.delete('f', 'ann') == 3
    assert await functions.saved('ann') == []
    [refused] = await office.run('f()', chat='third')
    assert 'not defined' in refused


async def test_the_next_script_cannot_use_a_deleted_function_although_variables_persist() -> None:
    functions = of_user()

    async def forget() -> int:
        return await functions.delete('top_customers', 'ann')

    office = Office(functions, tools(orders_of, forget), sessions=Sessions())
    await office.run(SAVE)
    await office.run(f'spent = {USE}')
    results = await office.run(f'{USE}\nawait forget()\n{USE}', USE, 'spent')
    assert results[::2] == [SPENT, SPENT]
    assert results[1].startswith('top_customers was deleted meanwhile, so nothing was run.')
    reported = next(message for message in office.history['chat'] if 'Variables of earlier' in str(message))
    assert 'top_customers' not in str(reported)


async def test_a_variable_with_the_name_of_a_needed_function_is_refused_before_anything_runs() -> None:
    office = Office(of_user())
    await office.run(SAVE)
    [refused] = await office.run(f'orders_of = 5\n{USE}', chat='another')
    assert 'The saved function top_customers calls orders_of, and orders_of is a variable here' in refused


async def test_imports_of_a_function_replace_no_variable() -> None:
    office = Office(of_user())
    await office.run(SAVE)
    [_, refused, _, spent] = await office.run(
        "Any = ['a', 'variable']", USE, 'del Any\nfrom typing import Any', USE, chat='another'
    )
    [again] = await office.run(SAVE.replace('top_customers', 'top_buyers'), chat='third')
    assert again == 'top_buyers is saved, version 1.'
    assert await office.run(f'[{USE}, await top_buyers("NO", 1)]', chat='fourth') == [[SPENT, SPENT[:1]]]
    assert "top_customers needs 'from typing import Any', and Any is a variable that an earlier script set" in refused
    assert spent == SPENT


async def test_a_folder_of_functions_is_found_by_all_and_hides_its_helpers(tmp_path: Path) -> None:
    (tmp_path / 'customers.py').write_text(f'{TOP}\n\ndef _half(n: float) -> float:\n    return n / 2\n')
    (tmp_path / 'shares.py').write_text(
        'async def best_share(country: str) -> float:\n'
        '    """What the best customer spent, by half."""\n'
        '    return _half((await top_customers(country))[0][1])\n'
    )
    office = Office(SavedFunctions(folder=tmp_path))
    assert await office.run("await best_share('NO')", user=None) == [3.5]
    [found] = await office.run("[f['name'] for f in await search_tools('customer share half', 9)]")
    assert sorted(found) == ['best_share', 'top_customers']
    assert 'save_function' not in office.description


@pytest.mark.parametrize(
    ('files', 'reason'),
    [
        ({'a.py': 'def f(): pass', 'b.py': 'def f(): pass'}, 'both define f; rename one'),
        ({'a.py': 'x = open\ndef f(): return x'}, 'the variable x, which is not a literal'),
        ({'a.py': 'def f('}, 'cannot be read as Python'),
        ({'a.py': 'def print(): pass'}, "print is a name of Python's own; rename it"),
        ({'a.py': 'def f(): return g()\ndef g(): return f()'}, 'f calls itself through other functions'),
        ({'a.py': 'def f():\n    return "' + 9_999 * 'x' + '"'}, '10,000 are allowed (max_chars)'),
    ],
)
def test_an_invalid_folder_is_refused(tmp_path: Path, files: dict[str, str], reason: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(UserError, match=re.escape(reason)):
        SavedFunctions(folder=tmp_path)


async def test_a_script_cannot_save_under_a_name_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / 'a.py').write_text('def half(n: float) -> float:\n    return n / 2\n')
    office = Office(SavedFunctions(MemoryStore(), folder=tmp_path))
    [refused] = await office.run(
        "def half(n: float) -> float:\n    return n / 3\nawait save_function(half, 'A third.')"
    )
    assert "half is one of the application's own functions" in refused
    assert await office.run('half(3.0)') == [1.5]


async def test_a_tool_with_the_name_of_a_saved_function_or_the_saving_tool_is_refused(tmp_path: Path) -> None:
    (tmp_path / 'a.py').write_text('def orders_of(): pass')
    with pytest.raises(UserError, match='orders_of is a tool, and a function of'):
        await Office(SavedFunctions(folder=tmp_path)).run('1')

    def save_function() -> None:
        """Belongs to someone else."""

    with pytest.raises(UserError, match='rename your tool'):
        await Office(of_user(), tools(save_function)).run('1')


async def test_the_number_and_size_of_functions_are_bounded() -> None:
    office = Office(of_user(max_functions=2, max_chars=100))
    one, two, three = (f"def f{n}(): return {n}\nawait save_function(f{n}, 'Number.')" for n in range(3))
    assert await office.run(one, two, "def f0(): return 'x'\nawait save_function(f0, 'X.', replace=True)") == [
        'f0 is saved, version 1.',
        'f1 is saved, version 1.',
        'f0 is saved, version 2.',
    ]
    [full, long] = await office.run(
        three, f"def f1(): return '{'x' * 100}'\nawait save_function(f1, 'X.', replace=True)"
    )
    assert 'there are 2 saved functions already, which is the limit' in full
    assert '100 are allowed' in long


async def test_a_thousand_functions_are_read_once_a_run_and_cost_no_more_text_than_one() -> None:
    functions = of_user(store := Counting())
    await Office(functions).run(SAVE)
    [kept] = await functions.saved('ann')
    [owner] = {owner for owner, _ in store.functions}
    office = Office(functions, options={'catalog': 'append'})
    for n in range(999):
        copy = dataclasses.replace(kept, name=f'top_{n}', code=kept.code.replace('top_customers', f'top_{n}'))
        await store.put_version(owner, copy.name, 1, copy.to_text())
    store.read.clear()
    assert await office.run('1', 'await top_998("NO")', '2', chat='third') == [1, SPENT, 2]
    assert '2 of 1002 functions' in office.description
    assert 'top_' not in office.description
    assert store.read == [1_000, 1]


async def test_invalid_data_in_a_store_stops_no_run() -> None:
    store = MemoryStore()
    functions = of_user(store)
    await Office(functions).run(SAVE)
    [owner] = {owner for owner, _ in store.functions}
    await store.put_version(owner, 'broken', 1, '{')
    await store.put_version(owner, 'other', 1, store.functions[owner, 'top_customers'][1])
    [kept] = await functions.saved('ann')
    code = f"await orders_of('NO')\n{kept.code.replace('top_customers', 'acting')}"
    await store.put_version(owner, 'acting', 1, dataclasses.replace(kept, name='acting', code=code).to_text())
    assert [one.name for one in await functions.saved('ann')] == ['top_customers']
    assert await Office(functions).run(USE, chat='another') == [SPENT]


@pytest.mark.pydantic_ai
async def test_a_capability_and_a_spec_accept_functions(tmp_path: Path) -> None:
    (tmp_path / 'one.py').write_text('def one() -> int:\n    """One."""\n    return 1\n')
    spec = CodeMode.from_spec(functions={'folder': str(tmp_path), 'store': str(tmp_path / 'f.db')})
    assert spec.functions is not None
    assert isinstance(spec.functions.store, SqliteStore)
    script = Script([run_code('one()')])
    await Agent(script.model, toolsets=[tools()], capabilities=[spec]).run('go')
    assert script.answers == [1]


# -- a reviewer sees the code and the tools of a function, and exactly that is saved

FIRST = "await top_customers('NO', 1)"


def asked(office: Office) -> PendingCall:
    """Return the only waiting call."""
    assert isinstance(office.output, DeferredToolRequests)
    [call] = pending_calls(office.output)
    return call


async def test_an_approval_shows_code_and_tools_and_saves_exactly_that() -> None:
    functions = of_user(approve=True)
    office = Office(functions)
    await office.run(SAVE)
    call = asked(office)
    assert (call.tool_name, call.kind) == ('save_function', 'approval')
    assert call.metadata == {'scope': 'user', 'replaces': None}
    assert {name: value for name, value in call.args.items() if name != 'code'} == {
        'name': 'top_customers',
        'description': 'Customers who spent most in a country.',
        'tools': ['async def orders_of(country: str) -> list[dict]: ...'],
        'functions': [],
        'replace': False,
    }
    assert await functions.saved('ann') == []
    [answer] = await office.decide(approve_all(office.output))
    assert answer == 'top_customers is saved, version 1.'
    [kept] = await functions.saved('ann')
    assert kept.code == call.args['code']
    assert await office.run(FIRST, chat='another') == [[['ann', 7, 'EUR']]]


async def test_a_denied_function_is_not_saved() -> None:
    functions = of_user(approve=True)
    office = Office(functions)
    caught = SAVE.replace('await save', 'try:\n    await save')
    caught += '\nexcept PermissionError as error:\n    message = str(error)\nmessage'
    await office.run(caught)
    denial = ToolDenied('Not this one.')
    [answer] = await office.decide(resolve(office.output, {asked(office).tool_call_id: denial}))
    assert answer == 'save_function was not approved: Not this one.'
    assert await functions.saved('ann') == []


@pytest.mark.pydantic_ai
async def test_a_reviewer_sees_the_replaced_code_and_may_edit_within_one_function() -> None:
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


async def test_a_shared_function_is_approved_by_default_and_found_by_all() -> None:
    functions = SavedFunctions(MemoryStore(), scope='all')
    office = Office(functions)
    await office.run(SAVE)
    await office.decide(approve_all(office.output))
    assert await office.run(FIRST, user='bob', chat='another') == [[['ann', 7, 'EUR']]]
    [kept] = await functions.saved()
    assert kept.conversation_id == 'chat'


async def test_a_waiting_script_continues_with_the_function_that_it_found() -> None:
    functions = of_user(approve=True)
    office = Office(functions)
    await office.run(SAVE)
    await office.decide(approve_all(office.output))
    other = 'def one() -> int:\n    return 1\n'
    await office.run(f"{other}await save_function(one, 'One.')\n{FIRST}", chat='another')
    await functions.delete('top_customers', 'ann')
    assert await office.decide(approve_all(office.output), chat='another') == [[['ann', 7, 'EUR']]]


# -- functions and variables survive the death of processes; a script that continues finds what it found before

SAVES = (
    f'{SAVE}\nseen = [1]\nawait note("saved")\nawait die()\nseen.append(2)\n'
    'await save_function(top_customers, "Another sentence.", replace=True)'
)
USES = """\
seen.append(3)
first = await top_customers('NO', 1)
await note('used')
await die()
[first, await top_customers('NO', 1), seen]"""


def test_saved_and_found_functions_survive_the_process(tmp_path: Path) -> None:
    message, used = in_a_fork(saved_lab.main, tmp_path, SAVES, f'{USES}  # lost')
    assert message == 'top_customers is saved, version 2.'
    assert json.loads(used) == [[['ann', 7, 'EUR']], [['ann', 7, 'EUR']], [1, 2, 3]]
    assert (tmp_path / 'ledger').read_text() == 'saved\nused\n'
    with closing(sqlite3.connect(tmp_path / 'variables.db')) as connection:
        texts = [text for (text,) in connection.execute('select text from toolscript_snapshots')]
    assert texts
    assert all(text.startswith('encrypted.') for text in texts)
