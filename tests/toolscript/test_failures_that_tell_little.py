"""An exception that no tool meant for a model: who is told what of it, and who hears of all of it."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from inline_snapshot import snapshot
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic import BaseModel
from pydantic_ai import Agent, ModelRetry, RunContext, UnexpectedModelBehavior
from pydantic_ai.capabilities import AbstractCapability, Instrumentation
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset

from tests.servers import workshop
from tests.toolscript.scripted import Script, call, play, run_code
from toolscript import CodeMode, CodeModeToolset, MCPServer, allowed_callers

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

SECRET = 'postgres://admin:hunter2@db'


class Unreachable(ConnectionError):
    """An error of the application's own."""


class Unspeakable(Exception):
    """An error that cannot say what it is."""

    def __str__(self) -> str:
        raise ValueError(SECRET)


def failing(error: Exception) -> FunctionToolset[object]:
    async def fetch(n: int = 0) -> str:
        raise error

    return FunctionToolset[object]([fetch])


def by_toolset(tools: AbstractToolset[Any], **options: Any) -> dict[str, Any]:
    return {'toolsets': [CodeModeToolset(tools, **options)]}


def by_capability(tools: AbstractToolset[Any], **options: Any) -> dict[str, Any]:
    capabilities: list[AbstractCapability[Any]] = [CodeMode(**options)]
    return {'toolsets': [tools], 'capabilities': capabilities}


CATCH = """\
try:
    await fetch()
except OSError as error:
    seen = ['OSError', str(error)]
except Exception as error:
    seen = [type(error).__name__, str(error)]
seen"""


@pytest.mark.parametrize('door', [by_toolset, by_capability])
@pytest.mark.parametrize('code', [CATCH, 'await fetch()', 'await asyncio.gather(*[fetch(n) for n in range(3)])'])
async def test_by_default_the_model_is_told_the_type_and_a_reference_that_the_log_has(
    door: Callable[..., dict[str, Any]], code: str, caplog: pytest.LogCaptureFixture
) -> None:
    script = Script([run_code(code)])
    with caplog.at_level(logging.ERROR, 'toolscript'):
        result = await Agent(script.model, **door(failing(Unreachable(f'connection to {SECRET} failed')))).run('go')
    assert 'hunter2' not in result.all_messages_json().decode()
    record = caplog.records[0]
    assert (record.name, record.exc_info is not None) == ('toolscript.tools', True)
    assert 'hunter2' in caplog.text
    reference = str(script.answers[0]).partition('reference ')[2][:8]
    assert f'reference {reference} ' in caplog.text
    assert 'Unreachable' in str(script.answers[0])


async def test_what_the_script_catches_is_of_the_type_that_the_tool_raised() -> None:
    script = Script([run_code(CATCH)])
    agent = Agent(script.model, toolsets=[CodeModeToolset(failing(Unreachable(SECRET)))])
    await agent.run('go')
    kind, message = script.answers[0]
    assert (kind, message[:-8]) == snapshot(
        ('OSError', 'ConnectionError: fetch failed with Unreachable; the application has its message, reference ')
    )


async def test_told_as_it_is_where_the_developer_says_so(caplog: pytest.LogCaptureFixture) -> None:
    script = await play(CodeModeToolset(failing(KeyError('no such order')), tool_errors='message'), run_code(CATCH))
    assert script.answers == [['KeyError', "'no such order'"]]
    assert [record.name for record in caplog.records] == ['toolscript.tools']


@pytest.mark.parametrize('door', [by_toolset, by_capability])
async def test_the_run_ends_with_it_where_the_developer_says_so(
    door: Callable[..., dict[str, Any]], caplog: pytest.LogCaptureFixture
) -> None:
    error = Unreachable(SECRET)
    script = Script([run_code(CATCH)])
    with pytest.raises(Unreachable) as raised:
        await Agent(script.model, **door(failing(error), tool_errors='raise')).run('go')
    assert raised.value is error
    assert len(caplog.records) == 1


@pytest.mark.parametrize('tool_errors', ['message', 'type', 'raise'])
@pytest.mark.parametrize('error', [ModelRetry('give me a city'), ToolFailed('closed for good')])
async def test_what_a_tool_says_to_its_caller_is_always_told_and_no_news_for_the_log(
    tool_errors: Literal['message', 'type', 'raise'], error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    script = await play(CodeModeToolset(failing(error), tool_errors=tool_errors), run_code(CATCH))
    assert script.answers == [['RuntimeError', str(error)]]
    bad = run_code(CATCH.replace('fetch()', """fetch(n=json.loads('"x"'))""").replace('try:', 'import json\ntry:'))
    script = await play(CodeModeToolset(failing(error), tool_errors=tool_errors), bad)
    assert 'fetch got arguments it cannot take' in script.answers[0][1]
    assert caplog.records == []


@pytest.mark.parametrize('behavior', ['retry', 'error', 'failed'])
async def test_what_an_mcp_server_answers_is_always_told(behavior: str) -> None:
    server = MCPServer(sys.executable, args=[workshop.__file__], tool_error_behavior=behavior, init_timeout=60)
    code = 'try:\n    await refund(order_id=99, amount=101)\nexcept RuntimeError as error:\n    seen = str(error)\nseen'
    script = await play(CodeModeToolset(server), run_code(code))
    assert script.answers == snapshot(['A refund of 101 exceeds the limit of 100.'])


class Answer(BaseModel):
    """What somebody else's service is expected to answer."""

    token: int


async def test_what_a_tool_cannot_read_itself_is_not_told_as_arguments_that_it_refuses() -> None:
    async def fetch(n: int = 0) -> int:
        return Answer.model_validate({'token': SECRET}).token

    tools = CodeModeToolset(FunctionToolset[object]([fetch]))
    script = await play(tools, run_code('await fetch()'), run_code("await fetch(n=''.join(['x']))"))
    failed, refused = script.answers
    assert 'ValueError: fetch failed with ValidationError; the application has its message' in failed
    assert 'fetch got arguments it cannot take:' in refused
    assert SECRET not in f'{script.answers}'


@pytest.mark.parametrize('tool_errors', ['message', 'type'])
async def test_an_error_that_cannot_say_what_it_is_ends_nothing(tool_errors: Literal['message', 'type']) -> None:
    script = await play(CodeModeToolset(failing(Unspeakable()), tool_errors=tool_errors), run_code(CATCH))
    assert script.answers[0][0] == 'RuntimeError'
    assert 'Unspeakable' in script.answers[0][1]
    assert SECRET not in str(script.answers)


async def test_it_is_recorded_on_the_span() -> None:
    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    script = Script([run_code(CATCH)])
    instrumentation = Instrumentation(InstrumentationSettings(tracer_provider=provider))
    toolset = CodeModeToolset(failing(Unreachable(SECRET)))
    await Agent(script.model, toolsets=[toolset], capabilities=[instrumentation]).run('go')
    events = [event for span in spans.get_finished_spans() for event in span.events]
    ours = [event.attributes for event in events if event.attributes and 'toolscript.reference' in event.attributes]
    assert [attributes['toolscript.tool'] for attributes in ours] == ['fetch']
    assert [SECRET in str(attributes['exception.message']) for attributes in ours] == [True]


@dataclass
class Attempts:
    """What a tool was told of its attempts."""

    seen: list[tuple[int, int, bool]] = field(default_factory=list[tuple[int, int, bool]])

    def book(self, ctx: RunContext[object]) -> str:
        """Always ask for another try."""
        self.seen.append((ctx.retry, ctx.max_retries, ctx.last_attempt))
        raise ModelRetry('not yet')


async def test_a_nested_call_is_told_the_attempts_of_its_script() -> None:
    attempts = Attempts()
    tools = FunctionToolset[object]()
    tools.add_function(attempts.book, retries=7)
    script = Script([run_code('await book()')] * 9)
    agent = Agent(script.model, toolsets=[CodeModeToolset(tools, max_retries=2)])
    with pytest.raises(UnexpectedModelBehavior, match="'run_code' exceeded max retries count of 2"):
        await agent.run('go')
    # A script that goes on after a failure used up nothing, and one that ended well starts the count again.
    assert attempts.seen == [(0, 2, False), (1, 2, False), (2, 2, True)]
    attempts.seen.clear()
    caught = run_code('try:\n    await book()\nexcept RuntimeError:\n    pass')
    await play(CodeModeToolset(tools, max_retries=2), run_code('await book()'), caught, caught)
    assert attempts.seen == [(0, 2, False), (1, 2, False), (0, 2, False)]


async def test_each_door_of_a_tool_counts_its_own_attempts() -> None:
    attempts = Attempts()
    tools = FunctionToolset[object]()
    tools.add_function(attempts.book, retries=3, metadata=allowed_callers('both'))
    script = Script([call('book'), run_code('await book()'), call('book'), run_code('await book()')])
    await Agent(script.model, toolsets=[CodeModeToolset(tools, max_retries=2)]).run('go')
    assert attempts.seen == snapshot([(0, 3, False), (0, 2, False), (1, 3, False), (1, 2, False)])
