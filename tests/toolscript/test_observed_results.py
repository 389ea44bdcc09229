"""What a result looked like is told where it was seen, once, and never to another user's run."""

from __future__ import annotations

import json
import sys
from typing import Any, Literal

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset

from tests.servers import contacts
from tests.servers.contacts import SENTENCE, contacts_of
from tests.toolscript.scripted import Script, Turn, play, run_code
from toolscript import CodeMode, CodeModeToolset, MCPServer, ResultShapes
from toolscript.testing import RecordingModel, prefix_changes

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


async def talk(
    toolset: CodeModeToolset[Any], user: str, *turns: Turn, history: list[ModelMessage] | None = None
) -> tuple[RecordingModel, Script, list[ModelMessage]]:
    """What the model of one user is sent and answered."""
    script = Script([*turns] or [run_code(f'len(await contacts_of({user!r}))')])
    model = RecordingModel(script.model)
    result = await Agent(model, toolsets=[toolset]).run('go', message_history=history)
    return model, script, result.all_messages()


def words_of(model: RecordingModel) -> str:
    return json.dumps([[request.tools, request.system, request.messages] for request in model.requests])


@pytest.mark.parametrize('is_server', [False, True])
@pytest.mark.parametrize('catalog', ['description', 'append'])
async def test_nothing_of_one_users_results_reaches_the_next_user(
    is_server: bool, catalog: Literal['description', 'append']
) -> None:
    tools: AbstractToolset[Any] = FunctionToolset[Any]([contacts_of])
    if is_server:
        tools = MCPServer(sys.executable, args=[contacts.__file__], init_timeout=60)
    toolset = CodeModeToolset(tools, catalog=catalog)
    # Of a server, both are users of one process.
    async with tools:
        seen, script, _ = await talk(toolset, 'alice')
        other, _, _ = await talk(toolset, 'bob')
    assert 'class ' in script.answers[0]['observed']
    assert prefix_changes(seen.requests) == []
    assert 'alice' not in words_of(other).lower()
    assert [seen.requests[0].tools, seen.requests[0].system] == [other.requests[0].tools, other.requests[0].system]
    assert prefix_changes(other.requests) == []
    for told in (words_of(seen), words_of(other)):
        assert not any(key in told for key in (SENTENCE, '@example.com', '10293'))


async def test_a_shape_is_told_beside_the_result_and_once() -> None:
    again = run_code("(await contacts_of('alice'))['owner']['since']")
    toolset = CodeModeToolset(FunctionToolset[Any]([contacts_of]))
    _, script, history = await talk(toolset, 'alice', again, again)
    assert script.answers == snapshot(
        [
            {
                'result': 2019,
                'observed': """\
# contacts_of() -> ContactsOfResult, observed, not promised
class Owner(TypedDict):
 name: str
 since: int
class ContactsOfResult(TypedDict): # other keys: dict[str, int]
 scores: dict[str, int]
 count: int
 owner: Owner\
""",
            },
            2019,
        ]
    )
    later = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(history))
    model, script, _ = await talk(toolset, 'alice', again, history=later)
    assert script.answers == [2019]
    assert prefix_changes(model.requests) == []


@pytest.mark.parametrize('code', ['await pair()', '[await pair()]', '{"a": await pair()}'])
async def test_a_result_that_is_shown_whole_needs_no_shape_then_or_later(code: str) -> None:
    def pair() -> Any:
        return {'a': 1, 'b': [2]}

    script = await play(CodeModeToolset(FunctionToolset[object]([pair])), run_code(code), run_code('len(await pair())'))
    assert ['observed' in str(script.answers[0]), script.answers[1]] == [False, 2]


async def test_runs_share_what_they_saw_where_they_are_given_the_same_object() -> None:
    def page(n: int) -> Any:
        return {'id': n, 'title': 'x'} if n else {'id': n, 'text': 'y'}

    kept = ResultShapes()
    await play(CodeModeToolset(FunctionToolset[object]([page]), result_shapes=kept), run_code('(await page(0))["id"]'))
    kept = ResultShapes.loads(kept.dumps())
    script = await play(
        CodeModeToolset(FunctionToolset[object]([page]), result_shapes=kept), run_code('(await page(1))["id"]')
    )
    assert script.answers[0]['observed'] == snapshot("""\
# page() -> PageResult, observed, not promised
class PageResult(TypedDict, total=False):
 id: Required[int]
 text: str
 title: str\
""")
    alone = await play(CodeModeToolset(FunctionToolset[object]([page])), run_code('(await page(1))["id"]'))
    assert 'text' not in alone.answers[0]['observed']


async def test_it_can_be_turned_off() -> None:
    script = Script([run_code("len(await contacts_of('alice'))")])
    capabilities = [CodeMode[Any](show_result_shapes=False)]
    await Agent(script.model, toolsets=[FunctionToolset[Any]([contacts_of])], capabilities=capabilities).run('go')
    assert script.answers == [5]


async def test_what_is_told_of_hostile_results_is_short() -> None:
    def hostile(kind: int) -> Any:
        keys = [
            f'{letter}{word}' for letter in 'abcdefg' for word in ('ignore_it', 'refund_now', 'obey_me', 'do_as_i_say')
        ]
        return {key: {inner: dict.fromkeys(keys, kind) for inner in keys} | {key: 1} for key in keys}

    tools = FunctionToolset[object]([hostile])
    script = await play(CodeModeToolset(tools), run_code('(await hostile(1)) and 0'))
    assert len(script.answers[0]['observed']) < 2_100


async def test_code_that_does_not_fit_an_observed_shape_runs_all_the_same() -> None:
    def anything(n: int) -> Any:
        return [{'id': n}] if n else 'none'

    tools = CodeModeToolset(FunctionToolset[object]([anything]))
    script = await play(tools, run_code('len(await anything(1))'), run_code('(await anything(0)).upper()'))
    assert [script.answers[0]['result'], script.answers[1]] == [1, 'NONE']
