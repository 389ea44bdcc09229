"""A call from code is validated, limited, hooked and traced like a direct one."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel, Field
from pydantic_ai import (
    Agent,
    BinaryContent,
    FunctionToolset,
    ModelRetry,
    RunContext,
    Tool,
    ToolReturn,
    UsageLimitExceeded,
    UsageLimits,
    UserError,
)
from pydantic_ai.capabilities import AbstractCapability, CombinedCapability, PrepareTools, WrapperCapability
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import ToolCallPart, UserPromptPart
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.toolsets import FunctionToolset as PlainToolset

from tests.text_cases import TextCase, text_cases
from tests.toolscript.scripted import Script, call, play, run_code
from toolscript import CodeModeToolset, SearchableToolset
from toolscript.scripts.tools import HOOKS, with_tool_hooks

pytestmark = pytest.mark.pydantic_ai


def toolset_of(*functions: Callable[..., Any] | Tool[object], **options: Any) -> PlainToolset[object]:
    return PlainToolset[object]([*functions], **options)


async def run(code: str, *functions: Callable[..., Any] | Tool[object], **options: Any) -> Any:
    """Return the model's result of one snippet over these tools."""
    script = await play(CodeModeToolset(toolset_of(*functions), tool_errors='message'), run_code(code), **options)
    return script.answers[0]


class Item(BaseModel):
    name: str = Field(max_length=5)
    price: Decimal


def add_item(item: Item, count: int = 1) -> str:
    return f'{count} x {item.name} at {item.price}'


async def test_wrong_arguments_are_reported_with_path_and_value() -> None:
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


async def test_json_in_place_of_a_value_is_named() -> None:
    code = (
        "import json\ntry:\n    await add_item(json.dumps({'name': 'tea'}))\nexcept ValueError as e:\n    r = str(e)\nr"
    )
    assert '; pass the value itself, without json.dumps (got' in await run(code, add_item)


async def test_retries_failures_and_timeouts_are_raised_in_the_script() -> None:
    def ask_again() -> str:
        raise ModelRetry('give me a city')

    def give_up() -> str:
        raise ToolFailed('closed for good')

    async def too_slow() -> str:
        await asyncio.sleep(5)
        return 'late'

    code = """\
seen = await asyncio.gather(ask_again(), give_up(), too_slow(), return_exceptions=True)
[[type(error).__name__, str(error)] for error in seen]"""
    assert await run(code, ask_again, give_up, Tool[object](too_slow, timeout=0.05)) == [
        ['RuntimeError', 'give me a city'],
        ['RuntimeError', 'closed for good'],
        ['TimeoutError', 'Timed out after 0.05 seconds.'],
    ]


async def test_an_uncaught_error_is_a_retry_with_its_place_and_the_finished_calls() -> None:
    def reserve(seat: int) -> int:
        if seat > 2:
            raise ValueError(f'seat {seat} is taken')
        return seat

    script = await play(
        CodeModeToolset(toolset_of(reserve), tool_errors='message'),
        run_code('for seat in range(1, 5):\n    await reserve(seat)'),
    )
    assert (script.parts[0].outcome, script.answers[0]) == (
        'retried',
        """\
line 2: await reserve(seat)
        ^^^^^^^^^^^^^^^^^^^
ValueError: seat 3 is taken
Calls: reserve finished (2 times), reserve failed.

In your next script, the same calls to reserve return their recorded results and do not run again.\
""",
    )


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


@pytest.mark.parametrize('prepares', ['the agent', 'the toolset'])
async def test_a_prepared_run_code_stays_prepared(prepares: str) -> None:
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


async def test_content_and_metadata_of_a_tool_return_are_kept() -> None:
    def shoot(name: str) -> ToolReturn[str]:
        content = f'picture of {name}' if name else None
        return ToolReturn(return_value=f'shot {name}', content=content, metadata={'size': len(name)})

    script = Script([run_code("[await shoot('a'), await shoot(''), await shoot('bb')]")])
    result = await Agent(script.model, toolsets=[CodeModeToolset(toolset_of(shoot))]).run('go')
    prompts = [
        part.content for message in result.all_messages() for part in message.parts if isinstance(part, UserPromptPart)
    ]
    assert script.answers == [['shot a', 'shot ', 'shot bb']]
    assert prompts == ['go', ['picture of a', 'picture of bb']]
    assert [entry['metadata'] for entry in script.parts[0].metadata['tool_calls']] == [
        {'size': 1},
        {'size': 0},
        {'size': 2},
    ]


async def test_a_file_that_a_tool_returns_reaches_the_model_as_a_file() -> None:
    image = BinaryContent(data=b'\x89PNG', media_type='image/png')

    def camera() -> BinaryContent:
        return image

    assert await run('picture = await camera()\npicture', camera) == image
    assert await run("['front', await camera()]", camera) == ['front', image]
    assert await run("(await camera())['media_type']", camera) == 'image/png'


async def test_values_cross_as_json_copied_when_the_tool_returns() -> None:
    shelf: list[Any] = [Decimal('1.50'), ..., {1}, 1 + 2j]

    def look() -> list[Any]:
        shelf.append(len(shelf))
        return shelf

    plain = ['1.50', 'Ellipsis', [1], '1+2j']
    assert await run('first = await look()\nsecond = await look()\n[first, second]', look) == [
        [*plain, 4],
        [*plain, 4, 5],
    ]


async def test_bytes_look_as_in_a_direct_call() -> None:
    def read() -> list[bytes]:
        return [b'abc', b'\xff\xfe']

    direct = await play(toolset_of(read), call('read'))
    assert await run('await read()', read) == ['YWJj', '__4=']
    assert direct.parts[0].model_response_str() == '["YWJj","__4="]'


async def test_gathered_calls_run_concurrently_and_sync_functions_in_threads() -> None:
    together = asyncio.Barrier(3)
    threads = threading.Barrier(2)

    async def meet(n: int) -> int:
        await together.wait()
        return n

    def nap(n: int) -> int:
        threads.wait(60)
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


async def test_the_sequential_mode_of_a_run_applies_in_scripts() -> None:
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


async def test_a_nested_call_makes_deferred_tools_available() -> None:
    def unlock() -> ToolReturn[str]:
        return ToolReturn('done', tools=['late'])

    def late() -> str:
        return 'here'

    tools = FunctionToolset[object]([unlock])
    tools.tool_plain(defer_loading=True, metadata={'allowed_callers': 'direct'})(late)
    script = await play(CodeModeToolset(tools), run_code('await unlock()'), call('late'))
    assert (['late' in shown for shown in script.shown], script.answers) == ([False, True, True], ['done', 'here'])


async def test_two_snippets_of_one_turn_run_one_after_the_other() -> None:
    script = await play(CodeModeToolset(toolset_of(add_item)), [run_code('n = 1\nn'), run_code('n = 2\nn')])
    assert sorted(script.answers) == [1, 2]


async def test_printed_text_is_returned_beside_the_result() -> None:
    assert await run("print('hello')\n1 + 1", add_item) == {'stdout': 'hello\n', 'result': 2}
    assert await run("print('only this')", add_item) == {'stdout': 'only this\n'}
    assert await run("{'stdout': 'not printed'}", add_item) == {'result': {'stdout': 'not printed'}}
    assert len((await run("print('x' * 90_000)", add_item))['stdout']) < 50_000


async def test_a_failure_shows_the_end_of_what_was_printed() -> None:
    code = "print('first words')\nprint('-' * 2_000)\nprint('last words')\n1 / 0"
    (answer,) = (await play(CodeModeToolset(toolset_of(add_item)), run_code(code))).answers
    assert ('first words' in answer, 'last words' in answer) == (False, True)


# -- capabilities with tool hooks see calls of scripts; the others cost nothing

CODE = 'for n in range(3):\n    total = await add(a=n, b=2)\ntotal'


async def add(a: int, b: int) -> int:
    return a + b


@dataclass
class Silent(AbstractCapability[None]):
    """Has hooks of requests only."""

    async def before_model_request(self, ctx: RunContext[None], request_context: Any) -> Any:
        return request_context


@dataclass
class Asked(AbstractCapability[None]):
    """Records the calls that it sees."""

    calls: list[str] = field(default_factory=list[str])

    async def before_tool_execute(self, ctx: RunContext[None], *, call: Any, **kinds: Any) -> Any:
        self.calls.append(call.tool_name)
        return kinds['args']


async def _run(*capabilities: AbstractCapability[None]) -> Any:
    script = Script([run_code(CODE)])
    toolset = CodeModeToolset(FunctionToolset[None]([add]))
    await Agent(script.model, deps_type=type(None), toolsets=[toolset], capabilities=capabilities).run('go')
    return script.answers[0]


def _set_on_the_object(asked: Asked) -> Silent:
    silent = Silent()
    setattr(silent, 'before_tool_execute', asked.before_tool_execute)  # noqa: B010
    return silent


AROUND: dict[str, Callable[[Asked], AbstractCapability[None]]] = {
    'plain': lambda asked: asked,
    'wrapped': lambda asked: WrapperCapability(asked),
    'grouped': lambda asked: CombinedCapability([Silent(), asked]),
    'set on the object': _set_on_the_object,
}


@pytest.mark.parametrize('around', AROUND)
async def test_a_capability_with_tool_hooks_sees_each_call(around: str) -> None:
    asked = Asked()
    assert await _run(AROUND[around](asked)) == 4
    assert asked.calls == ['run_code', 'add', 'add', 'add']


@pytest.mark.parametrize('hook', sorted(HOOKS))
def test_each_tool_hook_alone_is_called(hook: str) -> None:
    async def say(*_: object, **__: object) -> None: ...

    asked = type('Asked', (AbstractCapability,), {hook: say})()
    root = CombinedCapability[None]([Silent(), asked])
    assert with_tool_hooks(root) is root
    assert with_tool_hooks(CombinedCapability[None]([Silent()])) is None


# -- arguments of function tools: `*args`, `**kwargs`, and conversions by Pydantic


class Guest(BaseModel):
    name: str
    nights: Annotated[int, Field(ge=1)] = 1


class _Hotel:
    def __init__(self) -> None:
        self.calls = list[Any]()
        functions: list[Callable[..., Any]] = [self.book_hotel, self.rate, self.note, self.check_in, self.plan]
        self.toolset = PlainToolset[object](functions)

    def book_hotel(self, location: str, *preferences: str) -> str:
        return self._called(location, preferences)

    def rate(self, ctx: RunContext[object], stars: int, scale: int = 5, *parts: float, fair: bool) -> str:
        return self._called(stars, scale, parts, fair)

    def note(self, title: str, **details: int) -> str:
        return self._called(title, details)

    def check_in(self, guest: Guest, room: int, quiet: bool = False) -> str:
        return self._called(guest, room, quiet)

    def plan(self, day: date, text: Annotated[str, Field(min_length=2)], *sizes: Annotated[int, Field(lt=9)]) -> str:
        return self._called(day, text, sizes)

    def _called(self, *arguments: Any) -> str:
        self.calls.append(arguments)
        return 'done'


async def _answer(code: str, toolset: AbstractToolset[object]) -> tuple[str, str]:
    """Return what the model reads of its script, and the signature before it."""
    script = await play(CodeModeToolset(toolset), run_code(code))
    return str(script.answers[0]), script.shown[0]['run_code'].description or ''


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('arguments.txt')), ids=str)
async def test_a_call_is_accepted_as_by_the_function_or_refused_before_anything_runs(case: TextCase) -> None:
    """After `=` come the arguments that the function received; otherwise the model reads these words."""
    hotel = _Hotel()
    if case.expected.startswith('= '):
        reported, _ = await _answer(case.given, hotel.toolset)
        assert (reported, repr(hotel.calls[0]), len(hotel.calls)) == ('done', case.expected[2:], 1)
    else:
        reported, _ = await _answer(f"await note('first')\n{case.given}", hotel.toolset)
        assert case.expected in reported
        assert (reported.endswith('Nothing was run.'), hotel.calls) == (True, [])


async def test_star_arguments_are_shown_through_every_wrapper() -> None:
    prefixed = _Hotel().toolset.prefixed('inn')
    renamed = prefixed.renamed({'reserve': 'inn_book_hotel'}).with_metadata(server='inn').filtered(lambda _, __: True)
    searched = SearchableToolset(_Hotel().toolset.defer_loading(['note']))
    assert 'async def reserve(location: str, *preferences: str) -> str:' in (await _answer('1', renamed))[1]
    shown = (await _answer('1', searched))[1]
    assert 'async def book_hotel(location: str, *preferences: str) -> str:' in shown
    assert 'async def rate(stars: int, scale: int = 5, *parts: float, fair: bool) -> str:' in shown
