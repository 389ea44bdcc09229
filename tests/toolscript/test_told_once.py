"""With an appended catalog, what the model has been told in a conversation is not told again."""

from __future__ import annotations

from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, ModelMessage, ModelMessagesTypeAdapter
from pydantic_ai.messages import InstructionDeltaPart, ModelRequest, ToolReturnPart
from typing_extensions import TypedDict

from tests.toolscript.scripted import Script, Turn, call, functions_text, play, run_code, search
from toolscript import CodeModeToolset, FunctionToolset, SearchableToolset, ToolSearchOptions
from toolscript_signatures import estimate_tokens

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


class Order(TypedDict):
    """What somebody bought."""

    id: int
    customer: str
    total: float


def shop() -> FunctionToolset[object]:
    toolset = FunctionToolset[object](defer_loading=True)

    @toolset.tool_plain
    def find_orders(customer: str) -> list[Order]:
        """List the orders of a customer."""
        return [{'id': 1, 'customer': customer, 'total': 2.5}]

    @toolset.tool_plain
    def last_order(customer: str) -> Order:
        """The order that a customer placed last."""
        return find_orders(customer)[0]

    @toolset.tool_plain
    def cancel_order(order: Order) -> bool:
        """Cancel an order."""
        return bool(order)

    @toolset.tool_plain(allowed_callers='direct')
    def send_mail(to: str) -> str:
        """Send a mail."""
        return to

    assert all([last_order('a'), cancel_order(last_order('a')), send_mail('a')])
    return toolset


def appended(prefetch: int = 0, catalog: Any = 'append') -> CodeModeToolset[object]:
    return CodeModeToolset(SearchableToolset(shop(), ToolSearchOptions(prefetch=prefetch)), catalog=catalog)


async def test_a_type_that_several_functions_share_is_told_with_the_first() -> None:
    script = await play(appended(), search('select:find_orders'), search('select:cancel_order,find_orders,send_mail'))
    assert script.answers == snapshot(
        [
            '''\
Found 1 of 4 deferred tools.

class Order(TypedDict): # What somebody bought.
 id: int
 customer: str
 total: float

async def find_orders(customer: str) -> list[Order]:
 """List the orders of a customer."""\
''',
            '''\
Found 3 of 4 deferred tools.
Shown before: find_orders.
- send_mail: Send a mail.

async def cancel_order(id: int, customer: str, total: float) -> bool:
 """Cancel an order."""\
''',
        ]
    )


async def test_searches_of_one_reply_share_it_too() -> None:
    both: Turn = [search('select:find_orders,last_order'), search('select:last_order,cancel_order')]
    script = await play(appended(), both)
    text = '\n'.join(script.answers)
    assert [text.count(words) for words in ('class Order(', 'def last_order(', 'def cancel_order(')] == [1, 1, 1]


async def test_a_script_that_finds_it_again_tells_nothing() -> None:
    code = "[found['name'] for found in await search_tools('select:find_orders')]"
    script = await play(appended(), search('select:find_orders'), run_code(code))
    assert script.answers[1] == ['find_orders']


async def test_what_a_script_told_a_search_does_not() -> None:
    finds: Turn = run_code("len(await last_order('Ada'))")
    script = await play(appended(), finds, search('select:last_order,find_orders'))
    assert 'def last_order(' in script.answers[0]['new_functions']
    assert script.answers[1] == snapshot('''\
Found 2 of 4 deferred tools.
Shown before: last_order.

async def find_orders(customer: str) -> list[Order]:
 """List the orders of a customer."""\
''')


async def test_what_users_words_showed_no_search_tells() -> None:
    script = Script([search('select:cancel_order,last_order')])
    result = await Agent(script.model, toolsets=[appended(prefetch=1)]).run('Cancel the order.')
    first = result.all_messages()[0]
    assert isinstance(first, ModelRequest)
    assert 'def cancel_order(' in (first.instructions or '')
    assert script.answers == snapshot(
        [
            '''\
Found 2 of 4 deferred tools.
Shown before: cancel_order.

class Order(TypedDict): # What somebody bought.
 id: int
 customer: str
 total: float

async def last_order(customer: str) -> Order:
 """The order that a customer placed last."""\
'''
        ]
    )


async def test_each_prompt_adds_an_instruction_and_changes_none() -> None:
    agent = Agent(Script([]).model, toolsets=[appended(prefetch=1)])
    history: list[ModelMessage] = []
    for prompt in ('Cancel the order.', 'And now?', 'List the orders of the customer.', 'Cancel the order.'):
        history = (await agent.run(prompt, message_history=history)).all_messages()
    assert {message.instructions for message in history if isinstance(message, ModelRequest)} == {
        first.instructions for first in history[:1] if isinstance(first, ModelRequest)
    }
    deltas = [part for message in history for part in message.parts if isinstance(part, InstructionDeltaPart)]
    assert [functions_text(delta.content) for delta in deltas] == snapshot(
        [
            '''\
class Order(TypedDict): # What somebody bought.
 id: int
 customer: str
 total: float

async def find_orders(customer: str) -> list[Order]:
 """List the orders of a customer."""\
'''
        ]
    )


async def test_a_history_without_metadata_still_tells_what_was_found() -> None:
    script = Script([search('select:find_orders,send_mail')])
    history = (await Agent(script.model, toolsets=[appended()]).run('go')).all_messages()
    for message in history:
        for part in message.parts:
            if isinstance(part, ToolReturnPart):
                part.metadata = None
    history = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(history))
    again = Script([run_code("await find_orders('Ada')"), call('send_mail', to='Ada')])
    await Agent(again.model, toolsets=[appended()]).run('go on', message_history=history)
    assert again.answers[1:] == ['Ada']


@pytest.mark.parametrize('prefetch', [0, 8])
async def test_ten_turns_take_no_more_tokens_than_with_a_description_that_grows(prefetch: int) -> None:
    async def tokens(catalog: Any) -> int:
        sizes = list[int]()

        def weigh(turn: Turn) -> Turn:
            def played(messages: list[ModelMessage], info: Any) -> Turn:
                tools = [f'{tool.description}{tool.parameters_json_schema}' for tool in info.function_tools]
                said = [
                    part.model_response_str() if isinstance(part, ToolReturnPart) else str(getattr(part, 'content', ''))
                    for message in messages
                    for part in message.parts
                ]
                sizes.append(estimate_tokens('\n'.join([*tools, info.instructions or '', *said])))
                return turn

            return played

        agent_turns: list[Turn] = [
            [search('orders of a customer'), search('last order'), search('cancel an order')],
            run_code("(await last_order('Ada'))['total']"),
            'done',
        ]
        script = Script([weigh(turn) for _ in range(10) for turn in agent_turns])
        agent = Agent(script.model, toolsets=[appended(prefetch, catalog)])
        history: list[ModelMessage] = []
        for _ in range(10):
            history = (await agent.run('List the orders of Ada.', message_history=history)).all_messages()
        return sum(sizes)

    assert await tokens('append') <= await tokens('description')
