"""What a script keeps is found and called in later runs, as today's tools let it, and by nobody else."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, UserError
from pydantic_ai.toolsets import CombinedToolset

from tests.toolscript.kept.offices import SAVE, TOP, Office, of_user, orders_of, tools
from tests.toolscript.scripted import Script, functions_text, run_code, search
from toolscript import (
    CodeMode,
    CodeModeToolset,
    Files,
    MemoryStore,
    SavedFunctions,
    SearchableToolset,
    Sessions,
    SqliteStore,
)

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

USE = "await top_customers('NO')"
SPENT = [['ann', 7, 'EUR'], ['eve', 5, 'EUR']]


class Counting(MemoryStore):
    """A store that tells how many functions it gave, each time."""

    def __init__(self) -> None:
        super().__init__()
        self.read = list[int]()

    async def newest_versions(self, owner: str, names: Any = None, /) -> Any:
        """The newest versions."""
        found = await super().newest_versions(owner, names)
        self.read.append(len(found))
        return found


async def test_what_one_conversation_keeps_another_one_finds_by_search_and_calls() -> None:
    office = Office(of_user())
    assert await office.run(SAVE) == ['top_customers is kept, version 1.']
    [found, spent] = await office.run(search('who spent most'), USE, chat='another')
    assert found['tools'] == snapshot(
        [{'name': 'top_customers', 'description': 'Customers who spent most in a country.'}]
    )
    assert spent == SPENT
    assert functions_text(office.description) == snapshot('''\
async def orders_of(country: str) -> list[dict]:
 """All orders of a country."""

async def save_function(
 function: Any, # The function, or its name
 description: str, # What it does, in a sentence
 replace: bool = False
) -> str:
 """Keep a function that you defined and tried, for later: search_tools finds it by its description. It may use imports, the functions here, other kept functions and constants, nothing else of the script."""

async def top_customers(country: str, count: int = 2) -> list:
 """Customers who spent most in a country."""\
''')


async def test_a_script_finds_it_too_and_an_exact_name_needs_no_search() -> None:
    office = Office(of_user())
    await office.run(SAVE)
    [found, spent] = await office.run("[f['name'] for f in await search_tools('spent most')]", USE, chat='another')
    assert found == ['top_customers']
    assert spent == SPENT


async def test_where_signatures_are_appended_those_of_kept_functions_are_too() -> None:
    office = Office(of_user(), options={'catalog': 'append'})
    await office.run(SAVE)
    [found, spent] = await office.run("await search_tools('spent most')", USE, chat='another')
    assert 'async def top_customers(country: str, count: int = 2) -> list' in str(found)
    assert 'top_customers' not in office.description
    assert spent == SPENT


async def test_what_is_kept_is_the_text_that_stands_by_itself() -> None:
    functions = of_user()
    await Office(functions).run(SAVE)
    [kept] = await functions.kept('ann')
    assert (kept.version, kept.tools, kept.functions, kept.conversation_id) == (
        1,
        ('async def orders_of(country: str) -> list[dict]: ...',),
        (),
        'chat',
    )
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


async def test_two_users_find_nothing_of_each_other_whatever_their_conversations_are_called() -> None:
    office = Office(of_user())
    await office.run(SAVE, user='ann')
    for chat in ('chat', 'another'):
        [found, refused] = await office.run("await search_tools('spent most')", USE, user='bob', chat=chat)
        assert 'not defined' in found
        assert 'not defined' in refused
    [nobodys] = await office.run(USE, user=None, chat='third')
    assert 'not defined' in nobodys


async def test_by_default_a_function_stays_in_its_conversation() -> None:
    office = Office(SavedFunctions(MemoryStore()))
    await office.run(SAVE)
    assert await office.run(USE) == [SPENT]
    [refused] = await office.run(USE, chat='another')
    assert 'not defined' in refused


async def test_without_functions_nothing_of_what_the_model_reads_changes() -> None:
    office, script = Office(None), Script([])
    await office.run()
    await Agent(script.model, toolsets=[CodeModeToolset[Any](tools())]).run('go')
    assert office.script.shown == script.shown
    assert 'save_function' not in office.description


async def test_a_function_whose_tool_takes_something_else_now_is_refused_before_anything_runs() -> None:
    functions, called = of_user(), list[str]()
    await Office(functions).run(SAVE)

    def orders_of(region: str, year: int) -> list[int]:
        """All orders of a region."""
        called.append('orders_of')
        return []

    def note(text: str) -> None:
        """Write down."""
        called.append(text)

    [refused] = await Office(functions, tools(orders_of, note)).run(f"await note('first')\n{USE}", chat='another')
    assert refused == snapshot("""\
Nothing was run: the kept function top_customers (version 1) does not fit any more:
When it was saved, there was: async def orders_of(country: str) -> list[dict]: ...
line 7: for order in await orders_of(country):
                           ^^^^^^^^^^^^^^^^^^
No argument provided for required parameter `year` of function `orders_of`. Signature: async def orders_of(region: str, year: int) -> list[int]: ...
Nothing was run.
Do in your script what it did, with the functions of today.\
""")
    assert called == []


async def test_where_nobody_can_tell_before_it_runs_the_change_is_told_with_the_error() -> None:
    functions = of_user()
    await Office(functions).run(SAVE)

    def orders_of(country: int) -> list[int]:
        """All orders of a country, by its number."""
        return []

    [refused] = await Office(functions, tools(orders_of)).run(USE, chat='another')
    assert 'orders_of got arguments it cannot take' in refused
    assert 'The kept function top_customers may not fit any more. When it was saved, there was: async def' in refused


async def test_a_function_whose_tool_is_not_for_this_run_is_refused() -> None:
    functions = of_user()
    await Office(functions).run(SAVE)
    direct = tools(len).with_metadata(allowed_callers='code')
    [refused] = await Office(functions, direct).run(USE, chat='another')
    assert 'Nothing was run: the kept function top_customers (version 1) does not fit any more' in refused
    assert 'Name `orders_of` used when not defined' in refused


async def test_functions_call_each_other_and_are_brought_along() -> None:
    functions = of_user()
    office = Office(functions)
    more = """
async def best_customer(country: str) -> str:
    return (await top_customers(country, 1))[0][0]
await save_function('best_customer', 'Who spent most.')
"""
    await office.run(SAVE)
    assert await office.run(more, chat='second') == ['best_customer is kept, version 1.']
    assert await office.run("await best_customer('NO')", chat='third') == ['ann']
    [kept] = [one for one in await functions.kept('ann') if one.name == 'best_customer']
    assert (kept.tools, kept.functions) == ((), ('top_customers',))


async def test_functions_that_call_each_other_without_end_are_refused() -> None:
    store = MemoryStore()
    office = Office(of_user(store))
    await office.run("def odd(n: int) -> bool:\n    return n == 1\nawait save_function('odd', 'Odd?')")
    await office.run("def even(n: int) -> bool:\n    return n == 0 or odd(n - 1)\nawait save_function('even', 'Even?')")
    for (_, name), versions in store.functions.items():
        if name == 'odd':
            versions[1] = versions[1].replace('"functions": []', '"functions": ["even"]')
    [refused] = await office.run('even(3)', chat='another')
    assert 'it calls itself through other kept functions' in refused


@pytest.mark.parametrize(
    ('code', 'reason'),
    [
        (
            'def f(x):\n    return x + y\ny = [0][0]',
            'the variable y, which is no single literal: take it as a parameter',
        ),
        ('def g():\n    return 1\ndef f():\n    return g()', 'g(), which is not kept: save it first'),
        ('class C:\n    x = 1\ndef f():\n    return C.x', 'the class C: define it inside'),
        ('LIMIT = 5\ndef f(x=LIMIT):\n    return x', 'LIMIT in its first lines: write the value there'),
        ('count = 0\ndef f():\n    global count\n    count += 1', 'changes variables outside of it'),
        ('f = lambda: 1', 'must be defined once, by a def at the top level'),
        ('f = 1', 'must be defined once, by a def at the top level'),
    ],
)
async def test_what_does_not_stand_by_itself_is_refused_with_what_is_missing(code: str, reason: str) -> None:
    functions = of_user()
    [refused] = await Office(functions).run(f"{code}\nawait save_function('f', 'Some function.')")
    assert reason in refused
    assert await functions.kept('ann') == []


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
async def test_names_that_clash_are_refused_with_what_to_do(name: str, reason: str) -> None:
    define = '' if name == 'nothing' else f'def {name}(x):\n    return 1\n'
    [refused] = await Office(of_user()).run(f"{define}await save_function('{name}', 'Some function.')")
    assert reason in refused


async def test_a_name_that_is_taken_is_given_a_new_version_only_where_the_script_says_so() -> None:
    office = Office(of_user())
    again = SAVE.replace('count: int = 2', 'count: int = 1')
    await office.run(SAVE)
    [same, refused, replaced] = await office.run(SAVE, again, again.replace("')", "', replace=True)"), chat='second')
    assert same == 'top_customers is kept, version 1.'
    assert (
        'there is a kept function top_customers already (version 1: Customers who spent most in a country.)' in refused
    )
    assert replaced == 'top_customers is kept, version 2.'
    assert await office.run(USE, chat='third') == [SPENT[:1]]


async def test_an_application_lists_versions_restores_and_deletes() -> None:
    functions = of_user(max_versions=3)
    office = Office(functions)
    for number in range(1, 6):
        code = f"def f() -> int:\n    return {number}\nawait save_function(f, 'A number.', replace=True)"
        await office.run(code)
    assert [one.version for one in await functions.versions('f', 'ann')] == [3, 4, 5]
    assert (await functions.restore('f', 3, 'ann')).version == 6
    assert await office.run('f()', chat='another') == [3]
    assert await functions.delete('f', 'ann') == 3
    assert await functions.kept('ann') == []
    [refused] = await office.run('f()', chat='third')
    assert 'not defined' in refused


async def test_what_is_deleted_while_a_run_uses_it_is_not_used_by_its_next_script() -> None:
    functions = of_user()

    async def forget() -> int:
        """Delete the function."""
        return await functions.delete('top_customers', 'ann')

    office = Office(functions, tools(orders_of, forget))
    await office.run(SAVE)
    results = await office.run(f'{USE}\nawait forget()\n{USE}', USE, chat='another')
    assert results[0] == SPENT
    assert results[1].startswith('top_customers was deleted meanwhile, so nothing was run.')


async def test_a_newer_version_is_used_by_the_next_script_of_a_run() -> None:
    functions = of_user()

    async def improve() -> str:
        """Somebody else saves a new version."""
        await Office(functions).run(SAVE.replace("')", "', replace=True)").replace('= 2', '= 1'), chat='elsewhere')
        return 'done'

    office = Office(functions, tools(orders_of, improve))
    await office.run(SAVE)
    assert await office.run(USE, 'await improve()', USE, chat='another') == [SPENT, 'done', SPENT[:1]]


async def test_a_scripts_own_function_or_variable_comes_first() -> None:
    office = Office(of_user())
    await office.run(SAVE)
    own = "def top_customers(country):\n    return 'own'\ntop_customers('NO')"
    assert await office.run(own, "top_customers('NO')", chat='another') == ['own', 'own']


async def test_a_variable_in_the_way_of_what_it_calls_is_refused_before_anything_runs() -> None:
    office = Office(of_user())
    await office.run(SAVE)
    [refused] = await office.run(f'orders_of = 5\n{USE}', chat='another')
    assert 'The kept function top_customers calls orders_of, and orders_of is a variable here' in refused


async def test_no_import_of_a_function_takes_the_place_of_a_variable() -> None:
    office = Office(of_user())
    await office.run(SAVE)
    [_, refused, _, spent] = await office.run(
        "Any = ['a', 'variable']", USE, 'del Any\nfrom typing import Any', USE, chat='another'
    )
    [again] = await office.run(SAVE.replace('top_customers', 'top_buyers'), chat='third')
    assert again == 'top_buyers is kept, version 1.'
    assert await office.run(f'[{USE}, await top_buyers("NO", 1)]', chat='fourth') == [[SPENT, SPENT[:1]]]
    assert "top_customers needs 'from typing import Any', and Any is a variable that an earlier script set" in refused
    assert spent == SPENT


async def test_lines_of_errors_are_the_scripts_and_the_function_is_named() -> None:
    office = Office(of_user())
    broken = "def share(total: int) -> float:\n    return 100 / total\nawait save_function(share, 'A share.')"
    await office.run(broken)
    [refused, caught] = await office.run('x = 1\nshare(x - 1)', 'x = 2\nshare()', chat='another')
    assert refused == snapshot("""\
line 2: share(x - 1)
        ^^^^^^^^^^^^
ZeroDivisionError: division by zero
It was raised in share().\
""")
    assert caught == snapshot("""\
line 2: share()
        ^^^^^^^
No argument provided for required parameter `total` of function `share`
Nothing was run.\
""")


async def test_its_calls_are_calls_of_the_script_and_its_limits_hold() -> None:
    office = Office(of_user())
    await office.run(SAVE)
    await office.run(USE, chat='another')
    metadata: Any = office.script.parts[-1].metadata
    calls = [(call['tool_name'], call.get('line')) for call in metadata['tool_calls']]
    assert calls == [('orders_of', None)]


async def test_variables_that_live_on_leave_kept_functions_to_their_store() -> None:
    functions = of_user()
    office = Office(functions, sessions=Sessions())
    await office.run(SAVE)
    await office.run(f'spent = {USE}')
    await functions.delete('top_customers', 'ann')
    [refused, spent] = await office.run(USE, 'spent')
    assert 'top_customers was deleted meanwhile' in refused
    assert spent == SPENT
    assert 'top_customers' not in str(
        next(message for message in office.history['chat'] if 'Variables of earlier' in str(message))
    )


async def test_a_folder_of_functions_is_found_by_all_and_keeps_its_helpers_to_itself(tmp_path: Path) -> None:
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
        ({'a.py': 'x = open\ndef f(): return x'}, 'the variable x, which is no single literal'),
        ({'a.py': 'def f('}, 'cannot be read as Python'),
        ({'a.py': 'def print(): pass'}, "print is a name of Python's own; rename it"),
        ({'a.py': 'def f(): return g()\ndef g(): return f()'}, 'f calls itself through other functions'),
        ({'a.py': 'def f():\n    return "' + 9_999 * 'x' + '"'}, '10,000 are allowed (max_chars)'),
    ],
)
def test_a_folder_that_cannot_be_meant_is_refused(tmp_path: Path, files: dict[str, str], reason: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(UserError) as refused:
        SavedFunctions(folder=tmp_path)
    assert reason in str(refused.value)


async def test_a_tool_with_the_name_of_a_folders_function_or_of_saving_is_refused(tmp_path: Path) -> None:
    (tmp_path / 'a.py').write_text('def orders_of(): pass')
    with pytest.raises(UserError, match='orders_of is a tool, and a function of'):
        await Office(SavedFunctions(folder=tmp_path)).run('1')

    def save_function() -> None:
        """Not ours."""

    with pytest.raises(UserError, match='rename your tool'):
        await Office(of_user(), tools(save_function)).run('1')


@pytest.mark.parametrize(
    ('options', 'reason'),
    [
        ({}, 'give it a store'),
        ({'store': MemoryStore(), 'scope': 'users'}, "use 'conversation', 'user' or 'all'"),
        ({'store': MemoryStore(), 'scope': 'user'}, 'needs owner='),
        ({'store': MemoryStore(), 'owner': len}, 'no other scope takes it'),
        ({'store': 5}, 'use FunctionStore(...)'),
        ({'store': MemoryStore(), 'max_chars': 0}, 'at least 1'),
        ({'folder': 'nowhere at all'}, 'there is no such folder'),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(UserError) as refused:
        SavedFunctions(**options)
    assert reason in str(refused.value)


async def test_what_there_is_room_for_is_bounded() -> None:
    office = Office(of_user(max_functions=2, max_chars=100))
    one, two, three = (f"def f{n}(): return {n}\nawait save_function(f{n}, 'Number.')" for n in range(3))
    assert await office.run(one, two, "def f0(): return 'x'\nawait save_function(f0, 'X.', replace=True)") == [
        'f0 is kept, version 1.',
        'f1 is kept, version 1.',
        'f0 is kept, version 2.',
    ]
    [full, long] = await office.run(
        three, f"def f1(): return '{'x' * 100}'\nawait save_function(f1, 'X.', replace=True)"
    )
    assert 'there are 2 kept functions, which is all that there is room for' in full
    assert '100 are allowed' in long


async def test_a_thousand_functions_are_read_once_a_run_and_cost_no_more_text_than_one() -> None:
    store = Counting()
    functions = of_user(store)
    await Office(functions).run(SAVE)
    [kept] = await functions.kept('ann')
    [owner] = {owner for owner, _ in store.functions}
    one, many = (Office(functions, options={'catalog': 'append'}) for _ in range(2))
    await one.run('1', chat='another')
    for n in range(999):
        copy = dataclasses.replace(kept, name=f'top_{n}', code=kept.code.replace('top_customers', f'top_{n}'))
        await store.put_version(owner, copy.name, 1, copy.to_text())
    store.read.clear()
    assert await many.run('1', 'await top_998("NO")', '2', chat='third') == [1, SPENT, 2]
    assert many.description == one.description.replace('2 of 3 functions', '2 of 1002 functions')
    assert store.read == [1_000, 1]


async def test_a_store_in_which_somebody_wrote_nonsense_stops_nobody() -> None:
    store = MemoryStore()
    functions = of_user(store)
    await Office(functions).run(SAVE)
    [owner] = {owner for owner, _ in store.functions}
    await store.put_version(owner, 'broken', 1, '{')
    await store.put_version(owner, 'other', 1, store.functions[owner, 'top_customers'][1])
    [kept] = await functions.kept('ann')
    code = f"await orders_of('NO')\n{kept.code.replace('top_customers', 'acting')}"
    await store.put_version(owner, 'acting', 1, dataclasses.replace(kept, name='acting', code=code).to_text())
    assert [one.name for one in await functions.kept('ann')] == ['top_customers']
    assert await Office(functions).run(USE, chat='another') == [SPENT]


async def test_a_capability_and_a_spec_take_functions_too(tmp_path: Path) -> None:
    (tmp_path / 'one.py').write_text('def one() -> int:\n    """One."""\n    return 1\n')
    spec = CodeMode.from_spec(functions={'folder': str(tmp_path), 'store': str(tmp_path / 'f.db')})
    assert spec.functions is not None
    assert isinstance(spec.functions.store, SqliteStore)
    script = Script([run_code('one()')])
    await Agent(script.model, toolsets=[tools()], capabilities=[spec]).run('go')
    assert script.answers == [1]


def half(amount: float) -> float:
    """Half of an amount."""
    return amount / 2


async def test_scripts_find_it_where_the_search_does_not_stand_around_it(tmp_path: Path) -> None:
    (tmp_path / 'one.py').write_text(
        'def gross(net: float) -> float:\n    """The gross price."""\n    return net * 2\n'
    )
    hidden = SearchableToolset(tools(half).defer_loading())
    for toolset in (
        CodeModeToolset(CombinedToolset([hidden, tools()]), functions=SavedFunctions(folder=tmp_path)),
        CombinedToolset([hidden, CodeModeToolset(tools(), functions=SavedFunctions(folder=tmp_path))]),
    ):
        script = Script([run_code("[f['name'] for f in await search_tools('gross price')]")])
        await Agent(script.model, toolsets=[toolset]).run('go')
        assert script.answers == [['gross']]


async def test_in_a_run_that_may_be_replayed_only_folders_are_taken(tmp_path: Path) -> None:
    from pydantic_ai.tool_manager import ToolManager

    (tmp_path / 'one.py').write_text('def one() -> int:\n    return 1\n')
    with ToolManager.parallel_execution_mode('parallel_ordered_events'):
        assert await Office(SavedFunctions(folder=tmp_path)).run('one()') == [1]
        with pytest.raises(UserError, match='cannot be used in a run with ordered events'):
            await Office(of_user()).run('1')


async def test_the_same_call_of_the_next_script_saves_no_second_time() -> None:
    functions = of_user()
    office = Office(functions)
    [failed, kept] = await office.run(f'{SAVE}\n1 / 0', SAVE)
    assert 'save_function' in failed
    assert kept == 'top_customers is kept, version 1.'
    assert [one.version for one in await functions.versions('top_customers', 'ann')] == [1]


async def test_a_function_that_reads_a_file_is_kept_where_scripts_have_files(tmp_path: Path) -> None:
    (tmp_path / 'rates.txt').write_text('7')
    code = """
def rate() -> int:
    with open('/data/rates.txt') as f:
        return int(f.read())

await save_function(rate, 'The rate of today.')
"""
    script = Script([run_code(code), run_code('rate()'), 'done'])
    files = Files({'/data': tmp_path})
    toolset = CodeModeToolset(tools(), functions=of_user(), files=files)
    await Agent(script.model, deps_type=str, toolsets=[toolset]).run('go', deps='ann')
    assert script.answers == ['rate is kept, version 1.', 7]
