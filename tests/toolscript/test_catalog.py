"""Functions in the text of `run_code`: the place of signatures, their text, and that each is shown once."""

from collections.abc import Callable
from typing import Any, Literal
from weakref import ReferenceType, ref

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, CombinedToolset, ModelMessage, RunContext, Tool, UserError
from pydantic_ai.messages import (
    CompactionPart,
    InstructionDeltaPart,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import FunctionToolset as PlainToolset
from typing_extensions import TypedDict

from tests.toolscript.scripted import Script, Turn, call, functions_text, play, run_code, search
from toolscript import CodeModeToolset, FunctionToolset, SearchableToolset, ToolSearchOptions
from toolscript.catalog.function_metadata import unmarked
from toolscript.catalog.schemas import size_of
from toolscript.run_code.prompt import RUN_CODE_DESCRIPTION
from toolscript_signatures import estimate_tokens


def bank() -> FunctionToolset[object]:
    toolset = FunctionToolset[object]()

    @toolset.tool_plain
    def accounts() -> list[str]:
        """All account numbers."""
        return ['A1', 'A2']

    @toolset.tool_plain(defer_loading=True)
    def balance_of(account: str, currency: str = 'EUR') -> float:
        """What is on an account.

        Args:
            account: Its number.
            currency: Three letters.
        """
        return 100.0 * len(account + currency)

    @toolset.tool_plain(defer_loading=True, allowed_callers='both')
    def close_account(account: str) -> bool:
        """Close an account for good."""
        return account != 'A1'

    return toolset


def descriptions(script: Script) -> list[str]:
    return [shown['run_code'].description or '' for shown in script.shown]


async def test_a_found_signature_is_added_to_the_description() -> None:
    script = await play(CodeModeToolset(SearchableToolset(bank())), search('select:balance_of,close_account'))
    first, second = descriptions(script)
    assert functions_text(second) == snapshot('''\
async def accounts() -> list[str]:
 """All account numbers."""

async def balance_of(
 account: str, # Its number.
 currency: str = 'EUR' # Three letters.
) -> float:
 """What is on an account."""

async def close_account(account: str) -> bool:
 """Close an account for good."""\
''')
    assert first.startswith(RUN_CODE_DESCRIPTION)
    assert second.startswith(RUN_CODE_DESCRIPTION)


async def test_with_append_the_description_never_changes_and_results_show_the_signature() -> None:
    toolset = CodeModeToolset(SearchableToolset(bank()), catalog='append')
    script = await play(
        toolset, search('balance'), run_code("await close_account('A2')"), call('close_account', account='A1')
    )
    assert len(set(descriptions(script))) == 1
    assert script.answers[0].startswith('Found 1 of 2 deferred tools.\n\nasync def balance_of(\n account: str, ')
    signature = 'async def close_account(account: str) -> bool:\n """Close an account for good."""'
    assert script.answers[1:] == [{'result': True, 'new_functions': signature}, False]


async def test_names_in_code_are_constant_when_a_conflicting_tool_is_found() -> None:
    def anything() -> Any:
        return None

    plain = PlainToolset[object]()
    for name in ('get-user', 'get.user'):
        plain.add_function(anything, name=name, description=name)
    toolset = CodeModeToolset(SearchableToolset(plain.defer_loading()))
    script = await play(toolset, search('select:get.user'), search('select:get-user'))
    assert [text.count('get_user_2') for text in descriptions(script)] == [0, 1, 1]
    assert 'async def get_user_2() -> Any:\n """get.user"""' in descriptions(script)[1]


def warehouse() -> PlainToolset[object]:
    def move(item: str, shelf: int) -> str:
        return f'{item} to {shelf}'

    toolset = PlainToolset[object]()
    for n in range(40):
        metadata = {'pinned': n == 39}
        toolset.add_function(move, name=f'move_{n}', description=f'Move to hall {n}, by belt.', metadata=metadata)
    return toolset


async def test_a_budget_shows_pinned_functions_first_and_leaves_the_rest_to_searches() -> None:
    toolset = CodeModeToolset(warehouse(), catalog_tokens=200)
    script = await play(toolset, run_code("found = await search_tools('hall 17', 1)\n[found, await move_17('nut', 3)]"))
    text = descriptions(script)[0]
    assert text.partition('# ')[2].partition('\n')[0] == snapshot('5 of 40 functions; search for the rest')
    assert ['move_39(' in text, 'move_0(' in text, 'move_30(' in text] == [True, True, False]
    assert script.answers == [
        [
            [
                {
                    'name': 'move_17',
                    'description': 'Move to hall 17, by belt.',
                    'signature': 'async def move_17(item: str, shelf: int) -> str: ...',
                }
            ],
            'nut to 3',
        ]
    ]
    assert len(set(descriptions(script))) == 1


@pytest.mark.parametrize('catalog', ['description', 'append'])
@pytest.mark.parametrize(
    'finding', [search('balance'), run_code("await search_tools('balance')"), run_code("await balance_of('1')")]
)
async def test_a_signature_is_shown_in_one_place(
    catalog: Literal['description', 'append'], finding: ToolCallPart
) -> None:
    sent: list[str] = []

    def keep(messages: list[ModelMessage], info: AgentInfo) -> str:
        definitions = [(tool.name, tool.description) for tool in info.function_tools]
        sent.append(f'{definitions} {messages} {info.instructions}')
        return 'done'

    await play(CodeModeToolset(SearchableToolset(bank()), catalog=catalog), finding, keep)
    assert sent[0].count('def balance_of(') == 1


def refund(order: int, reason: str = '') -> float:
    """Refund an order.

    Only once.

    Args:
        order: Its number.
        reason: In a few words.

    Returns:
        How much was refunded, in euros.

    Raises:
        LookupError: There is no such order.
    """
    return 1.0


async def test_a_docstring_is_shown_completely_and_without_markup() -> None:
    script = await play(CodeModeToolset(FunctionToolset[object]([refund])))
    assert functions_text(script.shown[0]['run_code'].description) == snapshot('''\
async def refund(
 order: int, # Its number.
 reason: str = '' # In a few words.
) -> float:
 """Refund an order.

 Only once.

 Returns:
     How much was refunded, in euros.

 Raises:
     LookupError: There is no such order."""\
''')


async def test_a_description_from_elsewhere_is_used() -> None:
    async def prepared(ctx: RunContext[Any], tool_def: ToolDefinition) -> ToolDefinition:
        tool_def.description = 'Not now.'
        return tool_def

    by_hand = Tool[Any](refund, description='By hand.', name='one')
    later = Tool[Any](refund, prepare=prepared, name='two')
    shown = functions_text(
        (await play(CodeModeToolset(FunctionToolset[Any]([by_hand, later])))).shown[0]['run_code'].description
    )
    assert ['By hand.' in shown, 'Not now.' in shown, 'LookupError' in shown] == [True, True, False]


@pytest.mark.parametrize(
    ('marked', 'text'),
    [
        (
            '<summary>Do it.</summary>\n<returns>\n<description>A word.</description>\n</returns>',
            'Do it.\n\nReturns: A word.',
        ),
        ('<returns>\n<type>int</type>\n<description>int</description>\n</returns>', ''),
        ('<summary>Do it.</summary>', '<summary>Do it.</summary>'),
        ('Takes <summary>tags</summary>.', 'Takes <summary>tags</summary>.'),
    ],
)
def test_markup_is_parsed_where_there_is_no_function(marked: str, text: str) -> None:
    assert unmarked(marked) == text


# -- definitions that change in place


def properties_of(tool_def: ToolDefinition) -> dict[str, Any]:
    return tool_def.parameters_json_schema['properties']


def says_true(tool_def: ToolDefinition) -> None:
    properties_of(tool_def)['first']['const'] = True


def turns_round(tool_def: ToolDefinition) -> None:
    properties_of(tool_def)['first'] = properties_of(tool_def).pop('first')


def returns_text(tool_def: ToolDefinition) -> None:
    assert tool_def.return_schema is not None
    tool_def.return_schema['properties']['at']['type'] = 'string'


def destroys(tool_def: ToolDefinition) -> None:
    assert tool_def.metadata is not None
    tool_def.metadata['annotations']['destructiveHint'] = True


def is_described(tool_def: ToolDefinition) -> None:
    properties_of(tool_def)['second']['description'] = 'An alphabet.'


@pytest.mark.parametrize(
    ('change', 'reported'),
    [
        (says_true, 'first: Literal[True], second: str'),
        (turns_round, 'second: str, first: Literal[1]'),
        (returns_text, 'at: str'),
        (destroys, '# destructive'),
        (is_described, 'An alphabet.'),
    ],
)
async def test_changes_of_a_definition_are_shown_in_the_next_step_and_found(
    change: Callable[[ToolDefinition], None], reported: str
) -> None:
    properties = {'first': {'const': 1}, 'second': {'type': 'string'}}
    same = ToolDefinition(
        name='sort',
        description='Sort letters.',
        parameters_json_schema={'type': 'object', 'properties': properties, 'required': ['first', 'second']},
        return_schema={'type': 'object', 'properties': {'at': {'type': 'integer'}}, 'required': ['at']},
        metadata={'annotations': {'destructiveHint': False}},
    )

    async def prepare(ctx: RunContext[object], tool_def: ToolDefinition) -> ToolDefinition:
        if ctx.run_step == 2:
            change(same)
        return same

    tools = FunctionToolset[object]([Tool[object](len, name='sort', prepare=prepare)])
    script = await play(CodeModeToolset(tools), run_code('1'))
    assert [reported in functions_text(shown['run_code'].description) for shown in script.shown] == [False, True]


async def test_changes_of_a_deferred_definition_are_found() -> None:
    tools = FunctionToolset[object]()
    tools.add_function(len, name='sort', defer_loading=True, metadata={'tags': list[str]()})

    async def prepare(ctx: RunContext[object], tool_defs: list[ToolDefinition]) -> list[ToolDefinition]:
        for tool_def in tool_defs:
            (tool_def.metadata or {})['tags'] += ['alphabet'] * (ctx.run_step == 2)
        return tool_defs

    script = await play(SearchableToolset(tools.prepared(prepare)), search('alphabet'), search('alphabet'))
    assert [len(answer['tools']) for answer in script.answers] == [0, 1]


# -- an appended catalog shows nothing again that the model has read


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

    return toolset


def appended(prefetch: int = 0, catalog: Any = 'append') -> CodeModeToolset[object]:
    return CodeModeToolset(SearchableToolset(shop(), ToolSearchOptions(prefetch=prefetch)), catalog=catalog)


async def test_a_type_that_several_functions_share_is_shown_with_the_first() -> None:
    both: Turn = [search('select:find_orders'), search('select:find_orders,last_order,send_mail')]
    script = await play(appended(), both)
    assert script.answers == [
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

async def last_order(customer: str) -> Order:
 """The order that a customer placed last."""\
''',
    ]


async def test_each_prompt_adds_an_instruction_and_changes_none() -> None:
    agent = Agent(Script([]).model, toolsets=[appended(prefetch=1)])
    history: list[ModelMessage] = []
    for prompt in ('Cancel the order.', 'And now?', 'List the orders of the customer.', 'Cancel the order.'):
        history = (await agent.run(prompt, message_history=history)).all_messages()
    assert {message.instructions for message in history if isinstance(message, ModelRequest)} == {
        first.instructions for first in history[:1] if isinstance(first, ModelRequest)
    }
    deltas = [part for message in history for part in message.parts if isinstance(part, InstructionDeltaPart)]
    assert [functions_text(delta.content) for delta in deltas] == [
        '''\
class Order(TypedDict): # What somebody bought.
 id: int
 customer: str
 total: float

async def find_orders(customer: str) -> list[Order]:
 """List the orders of a customer."""\
'''
    ]


async def test_a_signature_is_shown_again_after_a_compaction() -> None:
    script = Script([search('select:find_orders')])
    history = (await Agent(script.model, toolsets=[appended()]).run('go')).all_messages()

    async def found_in(messages: list[ModelMessage]) -> str:
        again = Script([search('select:find_orders')])
        await Agent(again.model, toolsets=[appended()]).run('continue', message_history=messages)
        return again.answers[-1]

    assert 'Shown before: find_orders.' in await found_in(history)
    compacted = [*history, ModelResponse([CompactionPart('They searched.', provider_name='function')])]
    assert await found_in(compacted) == script.answers[0]


@pytest.mark.parametrize('prefetch', [pytest.param(0, marks=pytest.mark.long), 8])
async def test_ten_turns_take_no_more_tokens_than_with_a_growing_description(prefetch: int) -> None:
    async def tokens(catalog: Any) -> int:
        sizes = list[int]()

        def weigh(turn: Turn) -> Turn:
            def played(messages: list[ModelMessage], info: Any) -> Turn:
                tools = [f'{tool.description}{tool.parameters_json_schema}' for tool in info.function_tools]
                texts = [
                    part.model_response_str() if isinstance(part, ToolReturnPart) else str(getattr(part, 'content', ''))
                    for message in messages
                    for part in message.parts
                ]
                sizes.append(estimate_tokens('\n'.join([*tools, info.instructions or '', *texts])))
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


# -- an unreadable schema stops neither the run nor its tool; a circular one is refused at once

Schema = dict[str, Any]


async def plant(**arguments: Any) -> str:
    return f'planted {arguments["n"]}'


async def double(n: int) -> int:
    return 2 * n


def with_schemas(takes: Any, gives: Any = None) -> Tool[object]:
    async def changed(ctx: RunContext[object], tool_def: ToolDefinition) -> ToolDefinition:
        tool_def.parameters_json_schema, tool_def.return_schema = takes, gives
        return tool_def

    return Tool(plant, prepare=changed)


async def planted(tool: Tool[object], *, is_deferred: bool) -> list[Any]:
    """Return the results of a script that calls it and another tool."""
    odd = PlainToolset([tool])
    tools = SearchableToolset(odd.defer_loading()) if is_deferred else odd
    script = Script([run_code('[await plant(n=1), await double(2)]')])
    agent = Agent(script.model, toolsets=[CodeModeToolset(CombinedToolset([tools, PlainToolset([double])]))])
    await agent.run('Plant a tree.')
    return script.answers


def deep(kind: str) -> Schema:
    """Return a schema that is nested too deeply to read."""
    schema: Schema = {'type': 'string'}
    for _ in range(2_000):
        if kind == 'object':
            schema = {'type': 'object', 'properties': {'a': schema}, 'required': ['a']}
        else:
            schema = {'type': 'array', 'items': schema} if kind == 'array' else {'anyOf': [schema, {'type': 'null'}]}
    return {'type': 'object', 'properties': {'tree': schema, 'n': {'type': 'integer'}}, 'required': ['n']}


NO_SCHEMAS: list[Any] = [None, True, 7, 1.5, 'object', ['a', 'b'], b'{}']
NONSENSE: Schema = {'type': 'object', 'properties': {'a': 7, 'b': {'type': 'dict'}}, 'required': ['n', 3]}
HALF_A_CHARACTER = {'type': 'object', 'properties': {'n': {'description': '\ud800'}}, 'required': ['n']}
DEEP = [deep(kind) for kind in ('object', 'array', 'union')]


@pytest.mark.parametrize('number', range(len(NO_SCHEMAS) + 5))
@pytest.mark.parametrize('is_deferred', [False, True])
async def test_a_tool_with_an_unreadable_schema_accepts_anything_and_others_work(
    number: int, is_deferred: bool
) -> None:
    schema = [*NO_SCHEMAS, NONSENSE, HALF_A_CHARACTER, *DEEP][number]
    tool = with_schemas(schema, schema if schema not in DEEP else None)
    assert await planted(tool, is_deferred=is_deferred) == [['planted 1', 4]]


def below(keyword: str, *, many: bool = False) -> Schema:
    """A schema that contains itself below a keyword."""
    inner: Schema = {}
    inner[keyword] = [inner, inner] if many else inner
    return {'type': 'object', 'properties': {'tree': inner}}


def shared() -> Schema:
    """Return a schema whose text would be endless, although it does not contain itself."""
    inner: Schema = {'type': 'string'}
    for _ in range(60):
        inner = {'anyOf': [inner, inner]}
    return {'type': 'object', 'properties': {'tree': inner}}


ENDLESS = {'items': below('items'), 'anyOf': below('anyOf', many=True), 'default': below('default'), 'shared': shared()}


@pytest.mark.parametrize('kind', ENDLESS)
@pytest.mark.parametrize('is_deferred', [False, True])
async def test_a_circular_schema_is_refused_with_advice(kind: str, is_deferred: bool) -> None:
    tool = Tool.from_schema(plant, 'plant', 'Plant a tree.', ENDLESS[kind])
    with pytest.raises(UserError, match=r"A schema of tool 'plant' contains itself.*'\$defs' and '\$ref'"):
        await planted(tool, is_deferred=is_deferred)


class Remembered(dict[str, Any]):
    """A schema that supports weak references."""


def test_schemas_of_removed_tools_are_forgotten() -> None:
    made = list[ReferenceType[Remembered]]()
    for number in range(20_000):
        schema = Remembered(type='object', description=f'{number}')
        made.append(ref(schema))
        size_of(ToolDefinition(name='gone', parameters_json_schema=schema))
        del schema
    # How many schemas are still cached depends on the other tests of the process.
    assert sum(one() is not None for one in made) <= 10_000
