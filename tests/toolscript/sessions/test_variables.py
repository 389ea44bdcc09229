"""Variables of a conversation persist in its next run, and in no other conversation."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, BinaryContent, ModelMessage, UserError

from tests.toolscript.scripted import Script, run_code
from tests.toolscript.sessions.chats import Chat, priced, toolset
from tests.toolscript.test_speculative_reads import Writer, settled
from toolscript import CodeMode, CodeModeToolset, FunctionToolset, Sessions, SpeculativeReads

CUSTOMERS = """
from dataclasses import dataclass
customers = [{'id': n} for n in range(210)]
@dataclass
class Order:
    total: float
async def cost(product):
    return Order(await priced(product))
(await cost('tea')).total
"""


async def test_variables_functions_and_classes_persist_in_the_next_turn() -> None:
    chat = Chat(toolset(Sessions()))
    assert await chat.turn(CUSTOMERS) == [3.0]
    assert await chat.turn('[len(customers), (await cost("coffee")).total, Order(1.5).total]') == [[210, 6.0, 1.5]]


async def test_one_line_lists_the_variables_only_if_there_are_any() -> None:
    chat = Chat(toolset(Sessions()))
    await chat.turn()
    await chat.turn(CUSTOMERS)
    assert chat.reported == []
    await chat.turn()
    await chat.turn()
    assert chat.reported == [
        'Variables of earlier turns are set in run_code: Order: class; cost: function; customers: list of 210; result_1: float.'
    ]
    many = Chat(toolset(Sessions()), 'another')
    await many.turn(*[f'{n}' for n in range(1, 12)], 'zebra = 1\nNone')
    await many.turn()
    assert (many.reported[0] or '').endswith(
        ': zebra: int; result_11: int; result_10: int; result_9: int; result_8: int; result_7: int; and 6 more.'
    )
    for length, shown in ((1, 50), (100, 19)):
        many = Chat(toolset(Sessions()), f'names of {length}')
        await many.turn('\n'.join(f'{"v" * length}_{n} = {n}' for n in range(300)))
        await many.turn()
        line = many.reported[0] or ''
        assert len(line) < 2_200
        assert line.count(': int') == shown


async def test_no_byte_before_that_line_changes() -> None:
    chat = Chat(toolset(Sessions()))
    seen = list[Any]()

    def look(messages: Sequence[Any], info: Any) -> str:
        seen.append((info.instructions, [tool.description for tool in info.function_tools], list(messages)))
        return 'done'

    await chat.turn(CUSTOMERS, look)
    await chat.turn('x = 1', look)
    await chat.turn(look)
    first, second, third = seen
    assert first[:2] == second[:2] == third[:2]
    assert second[2][: len(first[2])] == first[2]
    assert third[2][: len(second[2])] == second[2]


async def test_two_conversations_share_nothing() -> None:
    shared = toolset(Sessions())
    one, other = Chat(shared, 'one'), Chat(shared, 'other')
    await one.turn('secret = 17')
    answer, _ = await other.turn('secret', '0')
    assert '`secret`' in answer
    assert other.reported == []
    assert await one.turn('secret') == [17]


async def test_two_users_share_nothing_though_their_conversations_have_one_id() -> None:
    shared = toolset(Sessions(owner=lambda ctx: f'user {ctx.deps}'))
    one, other = Chat(shared), Chat(shared)
    await one.turn('secret = 17', deps='ann')
    answer, _ = await other.turn('secret', '0', deps='bob')
    assert '`secret`' in answer
    assert await Chat(shared, 'another chat').turn('secret', deps='ann') == [17]


async def test_without_an_owner_nothing_is_saved_and_an_empty_name_is_refused() -> None:
    chat = Chat(toolset(Sessions(owner=lambda ctx: ctx.deps)))
    await chat.turn('x = 1')
    answer, _ = await chat.turn('x', '0')
    assert '`x`' in answer
    with pytest.raises(UserError, match='must return the owner as text, or None'):
        await chat.turn('x', deps='')


async def test_a_variable_that_is_too_large_is_named_and_the_rest_saved() -> None:
    chat = Chat(toolset(Sessions()))
    (answer,) = await chat.turn('small, big = [1, 2], "x" * 50_000_000\nlen(big)')
    assert answer == snapshot(
        {'result': 50000000, 'variables': 'Too large to be stored for later turns: big: str of 50,000,000.'}
    )
    assert await chat.turn('small') == [[1, 2]]
    refused, _ = await chat.turn('big[:3]', '0')
    assert refused == snapshot("""\
line 1: big[:3]
        ^^^
Name `big` used when not defined. If it is a variable, set it first; the variables of a function end with it.
Nothing was run.

Earlier scripts of this conversation set big, but the sandbox has restarted without these variables. Set them again in this script.\
""")


@pytest.mark.pydantic_ai
async def test_files_that_tools_returned_persist_in_the_next_turn() -> None:
    def picture(of: str, size: int = 1) -> BinaryContent:
        return BinaryContent(of.encode() * size, media_type='image/png', identifier='one')

    chat = Chat(toolset(Sessions(), picture))
    await chat.turn('seen = [await picture("a cat"), await picture("a dog")]\nNone')
    (answer,) = await chat.turn('seen')
    assert [file.data for file in answer] == [b'a cat', b'a dog']
    chat = Chat(toolset(Sessions(max_bytes=100_000), picture))
    for name in 'abc':
        await chat.turn(f'{name} = await picture("{name}", 40_000)\nNone')
    (answer,) = await chat.turn('[a, b, c]')
    assert [getattr(file, 'data', b'')[:1] for file in answer] == [b'', b'b', b'c']


async def test_the_newest_files_that_fit_are_stored() -> None:
    def picture(number: int) -> BinaryContent:
        return BinaryContent(bytes(100_000 + number), media_type='image/png')

    chat = Chat(toolset(Sessions(max_bytes=150_000), picture))
    (answer,) = await chat.turn('seen = [await picture(1), await picture(2)]\nNone')
    assert answer['variables'] == 'Too large to be stored for later turns: the file 963db9-d0c690d019a2.'
    assert isinstance((await chat.turn('seen[1]'))[0], BinaryContent)


async def test_a_persistent_function_calls_the_tools_of_this_run() -> None:
    sessions = Sessions()
    first = Chat(toolset(sessions))
    await first.turn('async def cost(product):\n    return await priced(product)\nprices = [await cost("tea")]')

    def other(n: int) -> int:
        return n

    later = Chat(toolset(sessions, other))
    indirect, direct, kept = await later.turn('await cost("tea")', 'await priced("tea")', 'prices')
    assert "name 'priced' is not defined" in indirect
    assert 'Nothing was run.' in direct
    assert kept == [3.0]


async def test_variables_are_dropped_if_a_function_has_changed() -> None:
    sessions, ran = Sessions(), list[str]()
    await Chat(toolset(sessions)).turn('async def cost(product):\n    return await priced(product)\nx = 1')

    async def priced(product: str, currency: str = 'EUR') -> float:
        ran.append(product)
        return 1.0

    later = Chat(toolset(sessions, priced))
    refused, _ = await later.turn('await cost("tea")', '0')
    assert '`cost`' in refused
    assert ran == []
    baseline = later.history[0]
    assert 'priced is now another function' in str(baseline)


async def test_variables_expire_and_the_model_reads_it() -> None:
    chat = Chat(toolset(Sessions(ttl=timedelta())))
    await chat.turn('x = 1')
    await chat.turn()
    assert chat.reported == ['The variables of earlier turns are gone: they have expired. Set again what you need.']


async def test_in_memory_the_least_recently_used_sessions_are_dropped() -> None:
    shared = toolset(Sessions(max_sessions=2))
    chats = [Chat(shared, str(n)) for n in range(3)]
    await chats[0].turn('x = 0')
    await chats[1].turn('x = 1')
    await chats[0].turn()
    await chats[2].turn('x = 2')
    assert await chats[0].turn('x') == [0]
    assert await chats[2].turn('x') == [2]
    answer, _ = await chats[1].turn('x', '0')
    assert '`x`' in answer
    # The older variables of a session are dropped before the newest.
    await chats[2].turn('x = 3', 'x = 4')
    await chats[2].turn()
    for n in range(3):
        await Chat(shared, f'another {n}').turn('y = 1')
    assert await chats[2].turn('x') == [4]


async def test_memory_is_bounded_in_bytes() -> None:
    sessions = Sessions(max_bytes=200_000, max_total_bytes=600_000)
    shared = toolset(sessions)
    chats = [Chat(shared, str(n)) for n in range(8)]
    # Texts that compression does not shorten much.
    for chat in chats:
        await chat.turn('import random\nx = "".join([str(random.random()) for n in range(9_000)])\n1')
    for chat in chats:
        await chat.turn()
    assert chats[0].reported == []
    assert chats[-1].reported != []


async def test_reads_start_early_except_those_that_need_earlier_variables() -> None:
    def orders_of(customer: int) -> str:
        return f'orders of {customer}'

    def stock_of(product: int) -> int:
        return product

    reads, early, history = FunctionToolset[object](), SpeculativeReads[object](), list[ModelMessage]()
    reads.add_function(orders_of, metadata={'read_only': True})
    reads.add_function(stock_of, metadata={'read_only': True})
    code = CodeModeToolset(reads, sessions=Sessions())

    async def turn(text: str) -> tuple[Any, int]:
        before, writer = early.counts.started, Writer([text, settled])
        agent = Agent(writer.model, toolsets=[code], capabilities=[early])
        result = await agent.run('go', message_history=history, conversation_id='chat')
        history[:] = result.all_messages()
        return writer.returns[-1].content, early.counts.started - before

    assert await turn('first = await stock_of(1)\nfirst + 1\n') == (2, 1)
    assert await turn('def orders_of(customer):\n    return customer\norders_of(1)\n') == (1, 0)
    assert await turn('found = orders_of(2)\nmore = [orders_of(3)]\n[found, *more]\n') == ([2, 3], 0)
    assert await turn('second = await stock_of(2)\nsecond + 1\n') == (3, 1)


@pytest.mark.pydantic_ai
async def test_the_capability_and_its_spec_accept_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('TOOLSCRIPT_SNAPSHOT_KEY', 'a key of the tests')
    specs: list[CodeMode[Any]] = [
        CodeMode(sessions=Sessions()),
        CodeMode.from_spec(sessions=True),
        CodeMode.from_spec(sessions={'store': str(tmp_path / 'variables.db'), 'ttl': 'PT1H', 'wait': 5}),
    ]
    for code_mode in specs:
        history = list[Any]()
        for code, value in (('x = 1', 1), ('x + 1', 2)):
            script = Script([run_code(code)])
            agent = Agent(script.model, capabilities=[code_mode], tools=[priced])
            result = await agent.run('go', message_history=history)
            history = result.all_messages()
            assert script.answers == [value]


async def test_a_restart_clears_the_variables_of_earlier_turns() -> None:
    chat = Chat(toolset(Sessions()))
    await chat.turn('x = 1')
    await chat.turn(run_code('y = 2', restart=True))
    answer, value = await chat.turn('x', 'y')
    assert '`x`' in answer
    assert value == 2
