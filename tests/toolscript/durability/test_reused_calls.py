"""After a failed snippet, its finished calls do not run again."""

import asyncio
import json
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, RunContext, ToolCallPart, ToolReturn
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.tools import Tool, ToolDefinition, ToolDenied

from tests.text_cases import TextCase, text_cases
from tests.toolscript.approvals.conversation import KEY, approved, conversation
from tests.toolscript.scripted import Script, play, run_code
from toolscript import CodeModeToolset, FunctionToolset, Limits, MemoryStore, Sandbox, resolve


class Post:
    """Tools that log their calls."""

    def __init__(self, **metadata: Any) -> None:
        self.log: list[str] = []
        self.money = 100
        self.toolset = FunctionToolset[object](
            [self.fail, self.linger, self.draw, self.balance, self.deposit, self.rate, self.get_owner]
        )
        self.toolset.tool_plain(metadata=metadata or None)(self.send)
        self.toolset.tool_plain(metadata={'annotations': {'readOnlyHint': True}})(self.count)
        self.toolset.tool_plain(requires_approval=True)(self.publish)

    async def send(self, to: str) -> str:
        self.log.append(f'send {to}')
        return f'letter {len(self.log)} to {to}'

    async def count(self) -> int:
        self.log.append('count')
        return len(self.log)

    async def fail(self, why: str = 'broken') -> None:
        self.log.append('fail')
        raise ValueError(why)

    async def linger(self) -> str:
        self.log.append('linger')
        if self.log.count('linger') == 1:
            await asyncio.sleep(3600)
        return 'at last'

    async def publish(self, text: str) -> str:
        self.log.append(f'publish {text}')
        return text.upper()

    async def draw(self) -> ToolReturn[str]:
        self.log.append('draw')
        return ToolReturn('drawn', content='a circle', metadata={'ink': 3})

    async def balance(self) -> int:
        self.log.append('balance')
        return self.money

    async def deposit(self, amount: int) -> int:
        self.log.append('deposit')
        self.money += amount
        return amount

    async def rate(self) -> float:
        self.log.append('rate')
        return 0.5

    async def get_owner(self) -> str:
        self.log.append('get_owner')
        return 'Ada'


@pytest.fixture
def post() -> Post:
    return Post()


@dataclass
class SmallLetters(AbstractCapability[object]):
    """Changes the arguments of calls, as pydantic-ai allows capabilities to do."""

    async def before_tool_validate(
        self, ctx: RunContext[object], *, call: ToolCallPart, tool_def: ToolDefinition, args: str | dict[str, Any]
    ) -> str | dict[str, Any]:
        """Change the arguments of `send` to lower-case names."""
        if tool_def.name == 'send':
            call.args = args = {'to': call.args_as_dict()['to'].lower()}
        return args


FAILS = "a = await send('Ada')\nb = await send('Bob')\nawait fail()"
WORKS = "a = await send('Ada')\nb = await send('Bob')\n[a, b]"


async def test_the_next_script_gets_the_results_of_equal_calls_without_running_them(post: Post) -> None:
    script = await play(CodeModeToolset(post.toolset), run_code(FAILS), run_code(WORKS))
    assert script.answers[0].partition('\n\n')[2] == snapshot(
        'In your next script, the same calls to send return their recorded results and do not run again.'
    )
    assert script.answers[1] == ['letter 1 to Ada', 'letter 2 to Bob']
    assert post.log == ['send Ada', 'send Bob', 'fail']
    assert [call.get('reused', False) for call in script.parts[1].metadata['tool_calls']] == [True, True]


async def test_a_reused_call_returns_its_content_and_metadata_too(post: Post) -> None:
    script = await play(CodeModeToolset(post.toolset), run_code('await draw()\nawait fail()'), run_code('await draw()'))
    assert post.log == ['draw', 'fail']
    assert script.parts[1].metadata['tool_calls'][0]['metadata'] == {'ink': 3}


async def test_a_call_is_identified_by_the_script_although_a_capability_changes_it(post: Post) -> None:
    script = Script([run_code(FAILS), run_code(WORKS)])
    code = CodeModeToolset(post.toolset)
    await Agent(script.model, deps_type=object, toolsets=[code], capabilities=[SmallLetters()]).run('go')
    assert post.log == ['send ada', 'send bob', 'fail']
    assert script.answers[1] == ['letter 1 to ada', 'letter 2 to bob']


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('repeats.txt')), ids=str)
async def test_finished_calls_are_answered_once_and_others_run_again(post: Post, case: TextCase) -> None:
    script = await play(CodeModeToolset(post.toolset), *map(run_code, case.given.split('\n===\n')))
    answer, _, log = case.expected.partition('\n')
    assert (script.answers[-1], ', '.join(post.log)) == (json.loads(answer), log)


async def test_a_result_from_before_a_change_is_refused_and_shown(post: Post) -> None:
    scripts = ['await balance()\nawait deposit(50)\n1 / 0', 'await deposit(50)\nawait balance()', 'await balance()']
    script = await play(CodeModeToolset(post.toolset), *map(run_code, scripts))
    assert post.log == ['balance', 'deposit', 'balance']
    assert script.answers[-1] == 150
    assert (
        'balance already ran with these arguments in a failed script and returned 100. deposit ran since, so this may be outdated. balance is not marked as read-only, so it was not run again. Use that value, or call it in a later script, which runs it again.'
    ) in str(script.answers[1])
    script = await play(
        CodeModeToolset(post.toolset), *map(run_code, ['await balance()\n1 / 0', 'await deposit(1)\nawait balance()'])
    )
    assert 'returned 150' in str(script.answers[1])


@pytest.mark.parametrize(
    ('metadata', 'runs'),
    [
        ({}, 1),
        ({'read_only': True}, 2),
        ({'annotations': {'idempotentHint': True}}, 2),
        ({'annotations': {'readOnlyHint': True}}, 2),
        ({'annotations': {'readOnlyHint': True}, 'read_only': False}, 1),
        ({'idempotent': True, 'read_only': False}, 2),
        ({'idempotent': False, 'annotations': {'idempotentHint': True}}, 1),
        ({'idempotent': False, 'annotations': {'readOnlyHint': True}}, 1),
    ],
)
async def test_repeatable_tools_run_again(metadata: dict[str, Any], runs: int) -> None:
    post = Post(**metadata)
    await play(CodeModeToolset(post.toolset), run_code(FAILS), run_code(WORKS))
    assert post.log.count('send Ada') == runs


@pytest.mark.pydantic_ai
async def test_an_mcp_server_declares_which_of_its_tools_are_repeatable(workshop: MCPToolset[object]) -> None:
    toolset = workshop.prefixed('w')
    counts = "await w_counter_next()\nledger = await w_ledger_read()\n{}['x']"
    script = await play(
        CodeModeToolset(toolset), run_code(counts), run_code(counts.replace("{}['x']", "ledger['calls']"))
    )
    assert 'the same calls to w_counter_next return' in script.answers[0]
    assert [call['tool'] for call in script.answers[1]] == ['counter.next', 'ledger.read']


async def test_a_toolset_can_turn_the_reuse_off(post: Post) -> None:
    script = await play(CodeModeToolset(post.toolset, reuse_finished_calls=False), run_code(FAILS), run_code(WORKS))
    assert post.log == ['send Ada', 'send Bob', 'fail', 'send Ada', 'send Bob']
    assert 'recorded results' not in script.answers[0]


@pytest.mark.parametrize('named', [{}, {'python': 'run_code'}])
async def test_the_next_run_repeats_no_finished_call(post: Post, named: dict[str, str]) -> None:
    toolset = CodeModeToolset(post.toolset, snapshots=replace(KEY, store=MemoryStore())).renamed(named)
    (name,) = named or ['run_code']
    failing = Script([ToolCallPart(name, {'code': FAILS})])
    first = await Agent(failing.model, toolsets=[toolset]).run('go')
    await play(toolset, ToolCallPart(name, {'code': WORKS}), message_history=first.all_messages())
    assert post.log == ['send Ada', 'send Bob', 'fail']


LINGERS = 'import asyncio\nawait asyncio.gather(send("Ada"), linger(), fail())'
CATCHES = 'try:\n    r = await linger()\nexcept RuntimeError as e:\n    r = str(e)\nr'
NO_WAIT = Limits(cancel_grace_seconds=0)


async def test_a_call_that_was_running_has_an_unknown_outcome_that_the_script_may_catch(post: Post) -> None:
    toolset = CodeModeToolset(post.toolset, limits=NO_WAIT)
    script = await play(toolset, run_code(LINGERS), run_code(CATCHES), run_code(CATCHES))
    assert script.answers[0].partition('\n\n')[2] == snapshot(
        'In your next script, the same calls to send return their recorded results and do not run again. The outcome of calls to linger is unknown: the same calls in your next script raise RuntimeError("UnknownOutcome: ..."), so find out first.'
    )
    assert script.answers[1:] == [
        'UnknownOutcome: linger with these arguments was still running when the script was interrupted, so its outcome is unknown. It was not run again. Find out first; a later script may call it again.',
        'at last',
    ]
    assert post.log == ['send Ada', 'linger', 'fail', 'linger']


def slow_at_first() -> tuple[FunctionToolset[object], list[str]]:
    """A tool whose first call times out, and its calls."""
    tries: list[str] = []

    async def order(item: str) -> str:
        tries.append(item)
        if len(tries) == 1:
            await asyncio.sleep(3600)
        return f'{item} ordered'

    return FunctionToolset[object]([Tool(order, timeout=0.5)]), tries


async def test_a_call_that_timed_out_has_an_unknown_outcome() -> None:
    toolset, tries = slow_at_first()
    code = "await order('nuts')"
    script = await play(CodeModeToolset(toolset), *map(run_code, [code] * 3))
    assert script.answers[0].partition('\n\n')[2] == snapshot(
        'The outcome of calls to order is unknown: the same calls in your next script raise RuntimeError("UnknownOutcome: ..."), so find out first.'
    )
    assert [answer.count('UnknownOutcome: order') for answer in script.answers] == [0, 1, 0]
    assert (script.answers[2], tries) == ('nuts ordered', ['nuts', 'nuts'])


async def test_a_call_that_timed_out_and_then_succeeded_has_a_result() -> None:
    toolset, tries = slow_at_first()
    again = "try:\n    await order('nuts')\nexcept TimeoutError:\n    await order('nuts')\n{}['x']"
    script = await play(CodeModeToolset(toolset), run_code(again), run_code("await order('nuts')"))
    assert (script.answers[1], tries) == ('nuts ordered', ['nuts', 'nuts'])


async def test_an_approved_call_is_not_requested_again(post: Post) -> None:
    talk = await approved(
        post.toolset, run_code("t = await publish('it')\nawait fail()"), run_code("await publish('it')")
    )
    assert (talk.script.answers[1], post.log) == ('IT', ['publish it', 'fail'])


@pytest.mark.pydantic_ai
async def test_calls_of_a_denied_script_are_not_repeated(post: Post) -> None:
    talk = conversation(
        post.toolset,
        run_code("kept = await send('Ada')\nawait publish('it')"),
        run_code('kept'),
        run_code("await send('Ada')"),
    )
    (waiting,) = await talk.start()
    assert waiting.script_id is not None
    await talk.resume(resolve(talk.requests, {waiting.script_id: ToolDenied('Not today.')}))
    assert talk.script.answers[:2] == [
        """\
This script was not approved: Not today.

In your next script, the same calls to send return their recorded results and do not run again.\
""",
        """\
line 1: kept
        ^^^^
Name `kept` used when not defined. If it is a variable, set it first; the variables of a function end with it.
Nothing was run.

In your next script, the same calls to send return their recorded results and do not run again.

Earlier scripts of this conversation set kept, but the sandbox has restarted without these variables. Set them again in this script.\
""",
    ]
    assert (talk.script.answers[2], post.log) == ('letter 1 to Ada', ['send Ada'])


async def test_recorded_calls_survive_a_pause(post: Post) -> None:
    again = "a = await send('Ada')\nt = await publish(a)\nb = await send('Bob')\n[t, b]"
    talk = await approved(post.toolset, run_code(FAILS), run_code(again))
    assert talk.script.answers[1] == ['LETTER 1 TO ADA', 'letter 2 to Bob']
    assert post.log == ['send Ada', 'send Bob', 'fail', 'publish letter 1 to Ada']


@pytest.mark.skipif(not Path('/proc/self/task').is_dir(), reason='finds the worker in /proc')
async def test_a_worker_that_dies_leaves_finished_calls_recorded_and_others_unknown(post: Post) -> None:
    def children() -> set[int]:
        lists = Path('/proc/self/task').glob('*/children')
        return {int(child) for listed in lists for child in listed.read_text().split()}

    others = children()
    async with Sandbox(workers=1) as sandbox:

        async def kill() -> None:
            for worker in children() - others:
                os.kill(worker, signal.SIGKILL)

        post.toolset.tool_plain(kill)
        dies = LINGERS.replace('fail()', 'kill()')
        toolset = CodeModeToolset(post.toolset, limits=NO_WAIT, sandbox=sandbox)
        script = await play(toolset, run_code(dies), run_code(CATCHES), run_code("await send('Ada')"))
    assert 'Calls: send finished, linger was running (what it did is unknown), kill finished.' in script.answers[0]
    assert 'the same calls to send, kill return their recorded results' in script.answers[0]
    assert script.answers[0].count('variables are gone') == 1
    assert script.answers[1].startswith('UnknownOutcome: linger')
    assert (script.answers[2], post.log) == ('letter 1 to Ada', ['send Ada', 'linger'])


class _Unspeakable:
    def __str__(self) -> str:
        raise ValueError('no')


def _ring() -> list[Any]:
    ring = list[Any]()
    ring.append(ring)
    return ring


def _deep() -> Any:
    deep: Any = 1
    for _ in range(2_000):
        deep = [deep]
    return deep


@pytest.mark.parametrize('make', [_Unspeakable, _ring, _deep, lambda: {'\ud800': '\udfff'}, lambda: {1: 'a', '1': 'b'}])
async def test_a_tool_whose_result_cannot_be_serialized_has_still_run(post: Post, make: Callable[[], Any]) -> None:
    async def odd() -> Any:
        post.log.append('odd')
        return make()

    post.toolset.tool_plain(odd)
    toolset = CodeModeToolset(post.toolset)
    script = await play(toolset, run_code('x = await odd()\nawait fail()'), run_code('x = await odd()\nprint(type(x))'))
    assert post.log.count('odd') == 1
    assert script.parts[1].metadata['tool_calls'][0]['status'] == 'finished'
