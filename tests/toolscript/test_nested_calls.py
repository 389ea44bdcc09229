"""A call from code is the same call as a direct one: validated, limited, hooked and traced alike."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel, Field
from pydantic_ai import (
    Agent,
    BinaryContent,
    ModelRetry,
    RunContext,
    Tool,
    ToolReturn,
    UsageLimitExceeded,
    UsageLimits,
    UserError,
)
from pydantic_ai.capabilities import Hooks, PrepareTools
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import ToolCallPart, UserPromptPart
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.toolsets import FunctionToolset as PlainToolset

from tests.toolscript.scripted import Script, call, play, run_code
from toolscript import CodeModeToolset

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def toolset_of(*functions: Callable[..., Any] | Tool[object], **options: Any) -> PlainToolset[object]:
    return PlainToolset[object]([*functions], **options)


async def run(code: str, *functions: Callable[..., Any] | Tool[object], **options: Any) -> Any:
    """What the model gets for one snippet over these tools."""
    script = await play(CodeModeToolset(toolset_of(*functions), tool_errors='message'), run_code(code), **options)
    return script.answers[0]


class Item(BaseModel):
    name: str = Field(max_length=5)
    price: Decimal


def add_item(item: Item, count: int = 1) -> str:
    return f'{count} x {item.name} at {item.price}'


async def test_arguments_are_validated_and_converted_as_in_a_direct_call() -> None:
    arguments = {'item': {'name': 'nut', 'price': '0.10'}, 'count': 3}
    direct = await play(toolset_of(add_item), call('add_item', **arguments))
    assert await run(f'await add_item(**{arguments})', add_item) == direct.answers[0] == '3 x nut at 0.10'


async def test_wrong_arguments_are_told_with_path_and_value() -> None:
    code = """\
import json
arguments = json.loads('{"item": {"name": "washer", "price": "cheap"}, "count": "many"}')
try:
    await add_item(**arguments)
except ValueError as error:
    result = str(error)
result"""
    assert await run(code, add_item) == snapshot("""\
add_item got arguments it cannot take:
- item.name: String should have at most 5 characters (got 'washer')
- item.price: Input should be a valid decimal (got 'cheap')
- count: Input should be a valid integer, unable to parse string as an integer (got 'many')\
""")


async def test_literal_arguments_of_a_wrong_type_are_refused_before_the_call() -> None:
    assert await run("await add_item(item={'name': 'nut', 'price': 1}, count='many')", add_item) == snapshot("""\
line 1: await add_item(item={'name': 'nut', 'price': 1}, count='many')
                                                               ^^^^^^
Argument `count` of function `add_item` is incorrect: Expected `int`, found `'many'`. Signature: async def add_item(item: Item, count: int = 1) -> str: ...
Nothing was run.\
""")


async def test_errors_of_tools_keep_their_type_and_can_be_caught() -> None:
    class OutOfStock(LookupError):
        pass

    def stock(product: str) -> int:
        raise {'key': KeyError('bolt'), 'own': OutOfStock('no bolts'), 'plain': Exception('boom')}[product]

    code = """\
seen = []
for product in ['key', 'own', 'plain']:
    try:
        await stock(product)
    except KeyError as error:
        seen.append(['KeyError', str(error)])
    except LookupError as error:
        seen.append(['LookupError', str(error)])
    except Exception as error:
        seen.append(['Exception', str(error)])
seen"""
    assert await run(code, stock) == snapshot(
        [['KeyError', "'bolt'"], ['LookupError', 'OutOfStock: no bolts'], ['Exception', 'boom']]
    )


async def test_retries_failures_and_timeouts_arrive_in_the_script() -> None:
    def ask_again() -> str:
        raise ModelRetry('give me a city')

    def give_up() -> str:
        raise ToolFailed('closed for good')

    async def too_slow() -> str:
        await asyncio.sleep(5)
        return 'late'

    code = """\
seen = []
for f in [1, 2, 3]:
    try:
        if f == 1:
            await ask_again()
        elif f == 2:
            await give_up()
        else:
            await too_slow()
    except TimeoutError as error:
        seen.append('timeout: ' + str(error))
    except RuntimeError as error:
        seen.append('runtime: ' + str(error))
seen"""
    assert await run(code, ask_again, give_up, Tool[object](too_slow, timeout=0.05)) == snapshot(
        ['runtime: give me a city', 'runtime: closed for good', 'timeout: Timed out after 0.05 seconds.']
    )


async def test_an_uncaught_error_is_a_retry_that_says_where_and_what_ran() -> None:
    def reserve(seat: int) -> int:
        if seat > 2:
            raise ValueError(f'seat {seat} is taken')
        return seat

    script = await play(
        CodeModeToolset(toolset_of(reserve), tool_errors='message'),
        run_code('for seat in range(1, 5):\n    await reserve(seat)'),
    )
    assert (script.parts[0].outcome, script.answers[0]) == snapshot(
        (
            'retried',
            """\
line 2: await reserve(seat)
        ^^^^^^^^^^^^^^^^^^^
ValueError: seat 3 is taken
Calls: reserve finished (2 times), reserve failed.

In your next script, the same calls of reserve return their recorded results and do not run again.\
""",
        )
    )


async def test_a_failing_snippet_does_not_end_the_run_at_once() -> None:
    def fail() -> str:
        raise ValueError('no')

    script = await play(CodeModeToolset(toolset_of(fail)), *[run_code('await fail()')] * 3, run_code('1 + 1'))
    assert script.answers[-1] == 2


async def test_a_custom_validator_refuses_arguments() -> None:
    def small_only(ctx: RunContext[object], amount: int) -> None:
        if amount > 10:
            raise ModelRetry('at most 10')

    def pay(amount: int) -> int:
        return amount

    tool = Tool[object](pay, args_validator=small_only)
    code = 'try:\n    await pay(11)\nexcept RuntimeError as error:\n    result = [str(error), await pay(10)]\nresult'
    assert await run(code, tool) == ['at most 10', 10]


async def test_dependencies_and_the_id_of_the_call_reach_the_tool() -> None:
    seen: list[tuple[Any, str | None, str | None]] = []

    def who(ctx: RunContext[Any]) -> str:
        seen.append((ctx.deps, ctx.tool_name, ctx.tool_call_id))
        return str(ctx.deps)

    script = Script([ToolCallPart('run_code', {'code': 'await who() + await who()'}, 'call_7')])
    agent = Agent(script.model, deps_type=str, toolsets=[CodeModeToolset(PlainToolset[Any]([who]))])
    await agent.run('go', deps='Ada')
    assert script.answers == ['AdaAda']
    assert seen == [('Ada', 'who', 'call_7__1'), ('Ada', 'who', 'call_7__2')]


async def test_prepare_changes_and_hides_tools() -> None:
    async def hidden(ctx: RunContext[object], tool_def: ToolDefinition) -> ToolDefinition | None:
        return None

    async def described(ctx: RunContext[object], tool_def: ToolDefinition) -> ToolDefinition:
        return replace(tool_def, description='Prepared.')

    def one() -> int:
        return 1

    def two() -> int:
        return 2

    script = await play(
        CodeModeToolset(toolset_of(Tool[object](one, prepare=hidden), Tool[object](two, prepare=described))),
        run_code('await two()'),
        run_code('await one()'),
    )
    assert 'Prepared.' in (script.shown[0]['run_code'].description or '')
    assert script.answers[0] == two()
    assert 'Name `one` used when not defined' in script.answers[1]


@pytest.mark.parametrize('prepares', ['the agent', 'the toolset'])
async def test_what_is_prepared_of_run_code_stays_prepared(prepares: str) -> None:
    async def strict(ctx: RunContext[object], tool_defs: list[ToolDefinition]) -> list[ToolDefinition]:
        return [replace(tool_def, strict=True, description=f'Mind! {tool_def.description}') for tool_def in tool_defs]

    def here() -> str:
        return 'here'

    beside = toolset_of(here).with_metadata(allowed_callers='code')
    script = Script([run_code('await here() + await there()')])
    code_mode: AbstractToolset[object] = CodeModeToolset(toolset_of(Tool[object](here, name='there')))
    if prepares == 'the toolset':
        await Agent(script.model, toolsets=[code_mode.prepared(strict), beside]).run('go')
    else:
        await Agent(script.model, toolsets=[code_mode, beside], capabilities=[PrepareTools[object](strict)]).run('go')
    shown = script.shown[0]['run_code']
    assert (shown.strict, (shown.description or '')[:9]) == (True, 'Mind! Run')
    assert 'async def here() -> str' in (shown.description or '')
    assert script.answers == ['herehere']


async def test_hooks_see_nested_calls() -> None:
    hooks = Hooks[object]()
    seen: list[str] = []

    @hooks.on.before_tool_execute
    async def note(  # pyright: ignore[reportUnusedFunction]
        ctx: RunContext[object], *, call: ToolCallPart, tool_def: ToolDefinition, args: dict[str, Any]
    ) -> dict[str, Any]:
        seen.append(call.tool_name)
        return {**args, 'n': args['n'] + 1} if 'n' in args else args

    def double(n: int) -> int:
        return n * 2

    script = Script([run_code('await double(n=1)')])
    await Agent(script.model, toolsets=[CodeModeToolset(toolset_of(double))], capabilities=[hooks]).run('go')
    assert (script.answers, seen) == ([4], ['run_code', 'double'])


async def test_what_a_tool_return_carries_beside_its_value_goes_along() -> None:
    def shoot(name: str) -> ToolReturn[str]:
        return ToolReturn(return_value=f'shot {name}', content=f'picture of {name}', metadata={'size': len(name)})

    script = Script([run_code("[await shoot('a'), await shoot('bb')]")])
    result = await Agent(script.model, toolsets=[CodeModeToolset(toolset_of(shoot))]).run('go')
    prompts = [
        part.content for message in result.all_messages() for part in message.parts if isinstance(part, UserPromptPart)
    ]
    assert script.answers == [['shot a', 'shot bb']]
    assert prompts == ['go', ['picture of a', 'picture of bb']]
    assert [entry['metadata'] for entry in script.parts[0].metadata['tool_calls']] == [{'size': 1}, {'size': 2}]


async def test_a_list_of_tool_returns_ends_the_run_as_it_does_on_a_direct_call() -> None:
    def shoot() -> list[ToolReturn[str]]:
        return [ToolReturn(return_value='a')]

    for turn, toolset in (
        (call('shoot'), toolset_of(shoot)),
        (run_code('await shoot()'), CodeModeToolset(toolset_of(shoot))),
    ):
        with pytest.raises(UserError, match="'shoot' contains invalid nested `ToolReturn` objects"):
            await play(toolset, turn)


async def test_what_a_tool_return_carries_that_no_model_can_be_sent_goes_along_as_text() -> None:
    def shoot(content: str) -> ToolReturn[str]:
        unfit: Any = {'number': 5, 'object': [Decimal('1.50'), 'and a text']}[content]
        return ToolReturn(return_value=content, content=unfit)

    script = Script([run_code("[await shoot('number'), await shoot('object')]")])
    result = await Agent(script.model, toolsets=[CodeModeToolset(toolset_of(shoot))]).run('go')
    prompts = [
        part.content for message in result.all_messages() for part in message.parts if isinstance(part, UserPromptPart)
    ]
    assert script.answers == [['number', 'object']]
    assert prompts == ['go', ['5', '1.50', 'and a text']]


async def test_a_file_that_a_tool_returns_reaches_the_model_as_a_file() -> None:
    image = BinaryContent(data=b'\x89PNG', media_type='image/png')

    def camera() -> BinaryContent:
        return image

    assert await run('picture = await camera()\npicture', camera) == image
    assert await run("['front', await camera()]", camera) == ['front', image]
    assert await run("(await camera())['media_type']", camera) == 'image/png'


async def test_the_text_of_an_object_that_a_tool_returns_crosses_whole() -> None:
    class Page:
        def __str__(self) -> str:
            return 'x' * 150_000

    def page() -> Any:
        return Page()

    assert await run('len(await page())', page) == 150_000


async def test_values_cross_as_json_frozen_when_the_tool_returns() -> None:
    shelf: list[Any] = [Decimal('1.50')]

    def look() -> list[Any]:
        shelf.append(len(shelf))
        return shelf

    assert await run('first = await look()\nsecond = await look()\n[first, second]', look) == [
        ['1.50', 1],
        ['1.50', 1, 2],
    ]


async def test_what_json_cannot_hold_becomes_its_text() -> None:
    def odd() -> Any:
        return {'dots': ..., 'set': {1}, 'complex': 1 + 2j}

    assert await run('await odd()', odd) == snapshot({'dots': 'Ellipsis', 'set': [1], 'complex': '1+2j'})


async def test_bytes_arrive_as_a_direct_call_shows_them() -> None:
    def read() -> list[bytes]:
        return [b'abc', b'\xff\xfe']

    direct = await play(toolset_of(read), call('read'))
    assert await run('await read()', read) == ['YWJj', '__4=']
    assert direct.parts[0].model_response_str() == '["YWJj","__4="]'


async def test_gathered_calls_run_at_the_same_time_and_sync_functions_in_threads() -> None:
    together = asyncio.Event()
    started: list[int] = []

    async def meet(n: int) -> int:
        started.append(n)
        if len(started) == 3:
            together.set()
        await together.wait()
        return n

    def nap(n: int) -> int:
        time.sleep(0.01)
        return n

    code = 'await asyncio.gather(meet(1), meet(2), meet(3)), await asyncio.gather(nap(1), nap(2))'
    assert await run(code, meet, nap) == [[1, 2, 3], [1, 2]]


async def test_a_sequential_tool_is_a_plain_def_and_runs_alone() -> None:
    running: set[str] = set()

    async def read(n: int) -> int:
        running.add(f'read {n}')
        await asyncio.sleep(0.01)
        running.discard(f'read {n}')
        return n

    async def write() -> list[str]:
        return sorted(running)

    script = await play(
        CodeModeToolset(toolset_of(read, Tool[object](write, sequential=True))),
        run_code('rows = await asyncio.gather(read(1), read(2))\nalone = write()\n[rows, alone]'),
    )
    assert 'def write() -> list[str]' in (script.shown[0]['run_code'].description or '')
    assert 'async def write' not in (script.shown[0]['run_code'].description or '')
    assert script.answers == [[[1, 2], []]]


async def test_the_sequential_mode_of_a_run_holds_in_scripts() -> None:
    running = 0
    most = 0

    async def work(n: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.01)
        running -= 1
        return n

    script = Script([run_code('await asyncio.gather(work(1), work(2), work(3))')])
    agent = Agent(script.model, toolsets=[CodeModeToolset(toolset_of(work))])
    with agent.parallel_tool_call_execution_mode('sequential'):
        await agent.run('go')
    assert (script.answers, most) == ([[1, 2, 3]], 1)


async def test_the_limit_on_tool_calls_counts_calls_in_flight() -> None:
    done: list[int] = []

    async def work(n: int) -> int:
        await asyncio.sleep(0.01)
        done.append(n)
        return n

    code = 'await asyncio.gather(*[work(n) for n in range(10)])'
    with pytest.raises(UsageLimitExceeded):
        await run(code, work, usage_limits=UsageLimits(tool_calls_limit=5))
    assert len(done) <= 4
    assert await run(code, work, usage_limits=UsageLimits(tool_calls_limit=11)) == [*range(10)]


async def test_an_error_for_the_developer_ends_the_run() -> None:
    def misconfigured() -> str:
        raise UserError('set the API key')

    with pytest.raises(UserError, match='set the API key'):
        await run('try:\n    await misconfigured()\nexcept Exception:\n    pass', misconfigured)


async def test_names_and_parameters_that_are_no_python_are_callable() -> None:
    async def anything(**arguments: Any) -> dict[str, Any]:
        return arguments

    schema = {
        'type': 'object',
        'properties': {'from': {'type': 'string'}, 'class': {'type': 'integer'}, 'x-api-key': {'type': 'string'}},
        'required': ['from', 'class'],
    }
    tools = [
        Tool[object].from_schema(anything, name=name, description='Anything.', json_schema=schema)
        for name in ('get-user', 'get.user', 'print', 'class')
    ]
    script = await play(CodeModeToolset(toolset_of(*tools)))
    names = [
        line.removeprefix('async def ').partition('(')[0]
        for line in (script.shown[0]['run_code'].description or '').splitlines()
        if line.startswith('async def ')
    ]
    assert names == snapshot(['get_user', 'get_user_2', 'print_', 'class_'])
    code = f"[{', '.join(f'''await {name}('here', 3, x_api_key='k')''' for name in names)}]"
    assert await run(code, *tools) == [{'from': 'here', 'class': 3, 'x-api-key': 'k'}] * 4


async def test_a_tool_whose_schema_is_nonsense_is_still_callable() -> None:
    async def anything(**arguments: Any) -> dict[str, Any]:
        return arguments

    schema: dict[str, Any] = {'type': 'object', 'properties': {'a': 7, 'b': {'type': 'dict'}}, 'required': ['c', 3]}
    tool = Tool[object].from_schema(anything, name='odd', description='', json_schema=schema)
    assert await run('await odd(a=1, b={}, c=None)', tool) == {'a': 1, 'b': {}, 'c': None}


async def test_variables_stay_within_a_run_until_restart() -> None:
    toolset = CodeModeToolset(toolset_of(add_item))
    script = await play(toolset, run_code('x = 20'), run_code('x + 1'), run_code('x', restart=True))
    assert script.answers[1] == 21
    assert 'Name `x` used when not defined' in script.answers[2]
    other = await play(toolset, run_code('x'))
    assert 'Name `x` used when not defined' in other.answers[0]


async def test_two_snippets_of_one_turn_take_turns() -> None:
    script = await play(CodeModeToolset(toolset_of(add_item)), [run_code('n = 1\nn'), run_code('n = 2\nn')])
    assert sorted(script.answers) == [1, 2]


async def test_runs_at_the_same_time_share_nothing() -> None:
    toolset = CodeModeToolset(toolset_of(add_item))
    scripts = await asyncio.gather(*[play(toolset, run_code(f'x = {n}'), run_code('x')) for n in range(6)])
    assert [script.answers[1] for script in scripts] == [*range(6)]


async def test_a_large_result_is_capped_for_the_model_and_whole_in_code() -> None:
    def rows() -> list[dict[str, int]]:
        return [{'id': n} for n in range(5000)]

    script = await play(
        CodeModeToolset(toolset_of(rows), max_result_chars=500),
        run_code('data = await rows()\ndata'),
        run_code('len(data), data[-1]'),
    )
    assert len(str(script.answers[0])) < 1000
    assert script.answers[1] == [5000, {'id': 4999}]


async def test_what_is_printed_comes_back_beside_the_result() -> None:
    assert await run("print('hello')\n1 + 1", add_item) == {'stdout': 'hello\n', 'result': 2}
    assert await run("print('only this')", add_item) == {'stdout': 'only this\n'}


async def test_a_snippet_that_does_not_parse_comes_back_with_the_line() -> None:
    assert await run('x = 1\nfor in y:', add_item) == snapshot("""\
SyntaxError: invalid syntax
line 2: for in y:
            ^
Nothing was run.\
""")


async def test_arguments_that_do_not_fit_are_refused_before_anything_runs() -> None:
    ran: list[int] = []

    def note(n: int) -> int:
        ran.append(n)
        return n

    assert await run('await note(1)\nawait note(m=2)', note) == snapshot("""\
line 2: await note(m=2)
              ^^^^^^^^^
No argument provided for required parameter `n` of function `note`. Signature: async def note(n: int) -> int: ...
line 2: await note(m=2)
                   ^^^
Argument `m` does not match any known parameter of function `note`. Signature: async def note(n: int) -> int: ...
Nothing was run.\
""")
    assert ran == []
