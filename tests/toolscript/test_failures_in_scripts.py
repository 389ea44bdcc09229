"""Exceptions of tools: what a script can catch, what the model reads, and how an aborted run ends."""

import asyncio
import logging
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel
from pydantic_ai import (
    Agent,
    ModelRequest,
    ModelResponse,
    ModelRetry,
    RunContext,
    UnexpectedModelBehavior,
    UserPromptPart,
)
from pydantic_ai.capabilities import AbstractCapability, Hooks
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.toolsets import FunctionToolset

from tests.sampling import sampled
from tests.toolscript.scripted import Script, play, run_code
from toolscript import CodeModeToolset, MCPServer, MemoryStore, Snapshots
from toolscript_sandbox import Sandbox

pytestmark = pytest.mark.pydantic_ai

SECRET = 'postgres://admin:hunter2@db'
CATCH = """\
try:
    await fail()
except OSError as error:
    seen = ['OSError', str(error)]
except Exception as error:
    seen = [type(error).__name__, str(error)]
seen"""


class Unreachable(ConnectionError):
    """An error of the application."""


class Unspeakable(Exception):
    """An error whose text cannot be computed."""

    def __str__(self) -> str:
        raise ValueError(SECRET)


def failing(error: Exception, **options: Any) -> CodeModeToolset[object]:
    async def fail(n: int = 0) -> str:
        raise error

    return CodeModeToolset(FunctionToolset[object]([fail]), **options)


# -- what the model reads


@pytest.mark.parametrize('code', [CATCH, 'await fail()', 'await asyncio.gather(*[fail(n) for n in range(3)])'])
async def test_by_default_the_model_reads_the_type_and_a_reference_to_the_log(
    code: str, caplog: pytest.LogCaptureFixture
) -> None:
    script = Script([run_code(code)])
    with caplog.at_level(logging.ERROR, 'toolscript'):
        agent = Agent(script.model, toolsets=[failing(Unreachable(f'connection to {SECRET} failed'))])
        result = await agent.run('go')
    assert 'hunter2' not in result.all_messages_json().decode()
    record = caplog.records[0]
    assert (record.name, record.exc_info is not None) == ('toolscript.tools', True)
    assert 'hunter2' in caplog.text
    assert caplog.text.partition('File "')[2].startswith(f'{__file__}", line'), 'the traceback begins in the tool'
    reported, _, reference = str(script.answers[0]).partition('reference ')
    assert 'fail failed with Unreachable; the application has its message, ' in reported
    assert f'reference {reference[:8]} ' in caplog.text
    assert reference[8:].startswith(': tell the user')


async def test_each_failure_has_a_reference_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    code = 'for _ in range(2):\n    try:\n        await fail()\n    except Exception as error:\n        print(error)'
    script = Script([run_code(code)])
    await Agent(script.model, toolsets=[failing(Unreachable('no route'))]).run('go')
    references = re.findall('reference ([0-9a-f]{8}): tell', str(script.answers[0]))
    assert len(set(references)) == 2
    assert all(f'reference {reference} ' in caplog.text for reference in references)


async def test_an_error_ends_the_run_if_the_developer_chooses_so(caplog: pytest.LogCaptureFixture) -> None:
    error = Unreachable(SECRET)
    with pytest.raises(Unreachable) as raised:
        await play(failing(error, tool_errors='raise'), run_code(CATCH))
    assert raised.value is error
    assert len(caplog.records) == 1


class Markup(str):
    """A text of a subclass, as template libraries have."""


WRAPPED: Any = ValueError('an exception instead of its text')
MEANT = [
    ModelRetry('give me a city'),
    ToolFailed('closed for good'),
    ModelRetry(Markup('give me a city')),
    ModelRetry(WRAPPED),
]


@pytest.mark.parametrize('tool_errors', ['message', 'type', 'raise'])
@pytest.mark.parametrize('error', MEANT)
async def test_messages_of_a_tool_for_its_caller_are_always_shown_and_not_logged(
    tool_errors: Literal['message', 'type', 'raise'], error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    bad = run_code(CATCH.replace('fail()', """fail(n=json.loads('"x"'))""").replace('try:', 'import json\ntry:'))
    script = await play(failing(error, tool_errors=tool_errors), run_code(CATCH), bad)
    assert script.answers[0] == ['RuntimeError', str(error)]
    assert 'fail got arguments it cannot take' in script.answers[1][1]
    assert caplog.records == []


@pytest.mark.parametrize('behavior', sampled(['retry', 'error', 'failed'], 2))
async def test_errors_of_an_mcp_server_are_always_shown(behavior: str, tmp_path: Path) -> None:
    (tmp_path / 'orders').write_text('live')
    program = [str(Path(__file__).parents[1] / 'servers' / 'mortal.py'), str(tmp_path / 'orders')]
    server = MCPServer(sys.executable, program, tool_error_behavior=behavior, init_timeout=60)
    script = await play(CodeModeToolset(server), run_code(CATCH))
    assert script.answers == [['RuntimeError', 'not today']]


class Answer(BaseModel):
    """Return a response that an external service may give."""

    token: int


async def test_data_that_a_tool_cannot_read_is_not_reported_as_wrong_arguments() -> None:
    async def fetch(n: int = 0) -> int:
        return Answer.model_validate({'token': SECRET}).token

    tools = CodeModeToolset(FunctionToolset[object]([fetch]))
    script = await play(tools, run_code('await fetch()'), run_code("await fetch(n=''.join(['x']))"))
    failed, refused = script.answers
    assert 'ValueError: fetch failed with ValidationError; the application has its message' in failed
    assert 'fetch got arguments it cannot take:' in refused
    assert SECRET not in f'{script.answers}'


@pytest.mark.parametrize(('wrong', 'message'), [(21, '- 1 more'), (2_000, 'cannot take: 2,000 problems')])
async def test_only_the_first_of_many_wrong_arguments_are_named(wrong: int, message: str) -> None:
    async def add(numbers: list[int]) -> int:
        return sum(numbers)

    script = await play(CodeModeToolset(FunctionToolset[object]([add])), run_code(f"await add(['x'] * {wrong})"))
    assert message in script.answers[0]
    assert len(script.answers[0]) < 3_000


@pytest.mark.parametrize('tool_errors', ['message', 'type'])
async def test_an_error_whose_str_fails_ends_nothing(tool_errors: Literal['message', 'type']) -> None:
    script = await play(failing(Unspeakable(), tool_errors=tool_errors), run_code(CATCH))
    assert script.answers[0][0] == 'RuntimeError'
    assert 'Unspeakable' in script.answers[0][1]
    assert SECRET not in str(script.answers)


# -- what a script catches


@pytest.mark.parametrize(
    ('error', 'kind', 'words'),
    [
        (KeyError('no such order'), 'KeyError', "'no such order'"),
        (ConnectionResetError('gone'), 'OSError', 'gone'),
        (UnicodeError('odd'), 'UnicodeError', 'odd'),
        (EOFError(), 'RuntimeError', 'EOFError'),
        (RecursionError('too deep'), 'RuntimeError', 'RecursionError: too deep'),
    ],
)
async def test_errors_are_caught_by_their_type_or_a_base(error: Exception, kind: str, words: str) -> None:
    assert (await play(failing(error, tool_errors='message'), run_code(CATCH))).answers == [[kind, words]]


GATHER = """\
import asyncio
async def both():
    return await asyncio.gather(fail(), fail(), return_exceptions=True)
found = await both()
try:
    await asyncio.gather(fail(), fail())
except ValueError as error:
    found.append(error)
[[type(error).__name__, str(error)] for error in found]"""


@pytest.mark.parametrize('tool_errors', ['type', 'message'])
@pytest.mark.parametrize(
    'error', [UnicodeDecodeError('utf-8', b'\xff', 0, 1, 'bad'), UnicodeEncodeError('ascii', 'é', 0, 1, 'bad')]
)
async def test_an_error_with_additional_arguments_fails_only_its_own_call(
    error: ValueError, tool_errors: Literal['type', 'message']
) -> None:
    [answer] = (await play(failing(error, tool_errors=tool_errors), run_code(GATHER))).answers
    name = type(error).__name__
    assert [kind for kind, _ in answer] == [name] * 3
    message = str(error) if tool_errors == 'message' else f'fail failed with {name}; the application has its message'
    assert all(words.startswith(message) for _, words in answer)


async def _unchanged(ctx: RunContext[Any], *, args: dict[str, Any], **_: object) -> dict[str, Any]:
    return args


@pytest.mark.parametrize('capabilities', [[], [Hooks[Any](before_tool_execute=_unchanged)]], ids=['plain', 'hooks'])
async def test_a_nested_call_knows_the_retries_of_its_script(capabilities: list[AbstractCapability[Any]]) -> None:
    seen = list[tuple[int, int, bool]]()

    def book(ctx: RunContext[object]) -> str:
        seen.append((ctx.retry, ctx.max_retries, ctx.last_attempt))
        raise ModelRetry('not yet')

    tools = FunctionToolset[object]()
    tools.add_function(book, retries=7)
    with pytest.raises(UnexpectedModelBehavior, match="'run_code' exceeded max retries count of 2"):
        await play(CodeModeToolset(tools, max_retries=2), *[run_code('await book()')] * 9, capabilities=capabilities)
    # A script that continues after a failure uses no retry, and a successful one restarts the count.
    assert seen == [(0, 2, False), (1, 2, False), (2, 2, True)]
    seen.clear()
    caught = run_code('try:\n    await book()\nexcept RuntimeError:\n    pass')
    await play(
        CodeModeToolset(tools, max_retries=2), run_code('await book()'), caught, caught, capabilities=capabilities
    )
    assert seen == [(0, 2, False), (1, 2, False), (0, 2, False)]


# -- errors that end a run


def blocking(error: type[BaseException]) -> Callable[[], Any]:
    def fail() -> None:
        raise error

    return fail


def awaiting(error: type[BaseException]) -> Callable[[], Any]:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise error

    return fail


@pytest.mark.parametrize('error', [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize('tool', [blocking, awaiting])
def test_an_interrupt_ends_the_run_and_allows_cleanup(
    tool: Callable[[type[BaseException]], Callable[[], Any]],
    error: type[BaseException],
    loop: asyncio.AbstractEventLoop,
) -> None:
    script = Script([run_code('await fail()')])
    agent = Agent(script.model, toolsets=[CodeModeToolset(FunctionToolset[object]([tool(error)]))])
    with pytest.raises(error):
        agent.run_sync('go')
    # The rest would keep the threads of sync tools, and so the process, alive.
    assert asyncio.all_tasks(loop) == set()


ENDINGS = [KeyboardInterrupt(), SystemExit(3), GeneratorExit(), BaseExceptionGroup('two', [SystemExit(3)])]
CAUGHT = 'import asyncio\ntry:\n    seen = {}\nexcept RuntimeError as error:\n    seen = str(error)\nseen'


@pytest.mark.parametrize('error', ENDINGS, ids=repr)
@pytest.mark.parametrize('calls', ['await fail()', 'await asyncio.gather(fail(), sit())'])
def test_the_end_of_a_run_leaves_no_worker_no_lock_and_a_call_with_an_unknown_outcome(
    error: BaseException, calls: str
) -> None:
    called = list[str]()

    async def fail() -> None:
        called.append('fail')
        raise error

    async def sit() -> None:
        await asyncio.Event().wait()

    snapshots = Snapshots(key='the key of the tests', store=MemoryStore())
    toolset = CodeModeToolset(FunctionToolset[object]([fail, sit]), snapshots=snapshots)
    part = run_code(CAUGHT.format(calls))

    async def begun() -> None:
        await Agent(Script([part]).model, toolsets=[toolset]).run('go', conversation_id='one')

    async def gone_on() -> str:
        history = [ModelRequest(parts=[UserPromptPart('go')]), ModelResponse(parts=[part])]
        script = Script([])
        await Agent(script.model, toolsets=[toolset]).run(message_history=history, conversation_id='one')
        return script.answers[0]

    # Other tests may have left a session to the garbage collector.
    before = Sandbox.shared().stats.workers_in_use
    with pytest.raises(type(error)):
        asyncio.run(begun())
    assert Sandbox.shared().stats.workers_in_use == before
    assert (asyncio.run(gone_on())[:20], called) == ('UnknownOutcome: fail', ['fail'])
