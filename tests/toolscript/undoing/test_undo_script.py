"""`undo_script`: the model lists the changes of a script, and undoes them after a person approved the list."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic_ai import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.tools import ToolApproved
from typer.testing import CliRunner

from tests.toolscript.approvals.conversation import Conversation
from tests.toolscript.scripted import Script, Turn, run_code
from tests.toolscript.undoing.shop import FORTY, Shop
from tests.toolscript.undoing.test_undoing import TWO, UNCAUGHT, agent_of, snapshots
from toolscript import CodeModeToolset, ToolRule, script_calls, undo
from toolscript.cli.app import app
from toolscript.history import render_html, render_text

COMMIT = ToolCallPart('undo_script', {'commit': True}, 'the_undo')


@dataclass
class Talk(Conversation):
    """A conversation with an agent that has `undo_script`."""

    def code_mode(self) -> CodeModeToolset[object]:
        rules = [ToolRule('mail', requires_approval=True)]
        return CodeModeToolset(self.toolset, snapshots=self.snapshots, undo_tool=True, rules=rules)


async def started(folder: Path, *turns: Turn) -> tuple[Shop, Talk]:
    """Return a shop and a conversation after its first run."""
    shop = Shop(folder / 'shop.db')
    talk = Talk(shop.tools, Script([*turns]), snapshots(folder))
    await talk.start()
    return shop, talk


@pytest.mark.pydantic_ai
async def test_the_model_lists_its_latest_script_and_undoes_it_after_an_approval(tmp_path: Path) -> None:
    turns = run_code(TWO), run_code('await orders()'), ToolCallPart('undo_script', {}), COMMIT
    shop, talk = await started(tmp_path, *turns)
    (call,) = talk.waiting
    assert [one['status'] for one in talk.script.answers[-1]['calls']] == ['can', 'can']
    assert (call.tool_name, len(shop.rows)) == ('undo_script', 2)
    assert 'refund(order=2, amount=6) can be undone by take_back(refund=1002)' in call.render()
    await talk.resume(talk.approved)
    assert shop.rows == []
    assert [one['status'] for one in talk.script.answers[-1]['calls']] == ['undone', 'undone']


async def test_a_reviewer_sees_every_call_that_an_approval_undoes(tmp_path: Path) -> None:
    _, talk = await started(tmp_path, run_code(FORTY), COMMIT)
    (call,) = talk.waiting
    assert call.render().splitlines()[-40:] == [
        f'  refund(order={n}, amount={n + 1}) can be undone by take_back(refund={1000 + n})'
        for n in reversed(range(40))
    ]


async def test_a_denied_list_is_not_undone(tmp_path: Path) -> None:
    shop, talk = await started(tmp_path, run_code(TWO), COMMIT)
    assert await talk.decide_each([False]) == []
    assert len(shop.rows) == 2


async def test_an_approval_does_not_undo_changes_made_after_the_question(tmp_path: Path) -> None:
    # The script waits for its mail, and so does the undo of its earlier changes. Both are approved.
    code = "await refund(order=1, amount=5)\nawait mail(text='x')\nawait refund(order=2, amount=6)"
    undo_first = ToolCallPart('undo_script', {'script_id': 'the_script', 'commit': True})
    shop, talk = await started(tmp_path, [ToolCallPart('run_code', {'code': code}, 'the_script'), undo_first])
    mail, asked = talk.waiting
    assert ('refund(order=1' in asked.render(), 'refund(order=2' in asked.render()) == (True, False)
    assert (mail.tool_name, asked.tool_name) == ('mail', 'undo_script')
    (again,) = await talk.resume(talk.approved)
    assert [line.partition(' ')[0] for line in shop.log] == ['refund', 'mail', 'refund']
    assert 'refund(order=2, amount=6) can be undone' in again.render()
    await talk.resume(talk.approved)
    assert shop.rows == []


async def test_an_approval_does_not_apply_to_a_later_script_with_the_same_id(tmp_path: Path) -> None:
    first = run_code(TWO)
    shop, talk = await started(tmp_path, first, COMMIT)
    # Some models restart the ids of their calls in each turn.
    later = ToolCallPart('run_code', {'code': 'await refund(order=9, amount=9)'}, first.tool_call_id)
    conversation_id = talk.messages[-1].conversation_id
    history: list[ModelMessage] = [
        ModelRequest([UserPromptPart('go')], conversation_id=conversation_id),
        ModelResponse([later], conversation_id=conversation_id),
    ]
    await talk.agent.run(message_history=history)
    (again,) = await talk.resume(talk.approved)
    assert ('order=9' in again.render(), len(shop.rows)) == (True, 3)


async def test_an_approval_for_another_script_than_the_listed_one_asks(tmp_path: Path) -> None:
    first = run_code(TWO)
    shop, talk = await started(tmp_path, first, run_code('await refund(order=9, amount=9)'), COMMIT)
    changed = ToolApproved(override_args={'script_id': first.tool_call_id, 'commit': True})
    (again,) = await talk.decide_each([changed])
    assert ('order=2' in again.render(), len(shop.rows)) == (True, 3)


async def test_an_approval_that_arrives_twice_undoes_once(tmp_path: Path) -> None:
    shop, talk = await started(tmp_path, run_code(TWO), COMMIT)
    before = talk.history, talk.requests
    for _ in range(2):
        talk.history, talk.requests = before
        assert await talk.resume(talk.approved) == []
    assert shop.log == ['refund 1', 'refund 2', 'take back 1002', 'take back 1001']


async def test_a_list_that_is_too_long_to_read_cannot_be_approved(tmp_path: Path) -> None:
    code = 'for n in range(260):\n    await refund(order=10**15 + n, amount=1)'
    _, talk = await started(tmp_path, run_code(code), COMMIT)
    assert [call.to_json()['text'] for call in talk.waiting] == [None]


async def test_the_undo_of_a_list_undoes_that_list_or_nothing(tmp_path: Path) -> None:
    shop, talk = await started(tmp_path, run_code(TWO), run_code('await refund(order=3, amount=1)'))
    both = talk.messages
    first = both[:3]
    listed = await undo(first, talk.agent)
    assert [call.status for call in (await undo(both, talk.agent, commit=listed)).calls] == ['can'] * 3
    assert len(shop.rows) == 3
    assert (await undo(first, talk.agent, commit=listed)).is_complete
    assert shop.rows == [(1003, 1)]


# -- histories as data, text and pages mark undone calls


def undone(messages: list[ModelMessage]) -> list[object]:
    """Return the orders of the undone refunds, after checking that text and page agree with the data."""
    stored = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(messages))
    calls = [call for call in script_calls(stored) if call.undone]
    text = [line for line in render_text(stored, width=200).splitlines() if line.endswith(', undone)')]
    assert (len(text), render_html(stored).count(', undone')) == (len(calls), len(calls))
    return [call.arguments['order'] for call in calls]


async def test_a_history_marks_calls_that_the_model_undid(tmp_path: Path) -> None:
    _, talk = await started(tmp_path, run_code(TWO), run_code('await refund(order=3, amount=1)'), COMMIT)
    assert undone(talk.messages) == []
    await talk.resume(talk.approved)
    assert undone(talk.messages) == [3]


async def test_a_history_marks_undone_calls_of_a_failed_script(tmp_path: Path) -> None:
    shop = Shop(tmp_path / 'shop.db')
    again = 'await refund(order=2, amount=1)'
    agent = agent_of(shop.tools, run_code(UNCAUGHT), run_code(again), folder=tmp_path, undo_on='error')
    assert undone((await agent.run('go')).all_messages()) == [1]


@pytest.mark.pydantic_ai
async def test_a_history_marks_calls_that_were_undone_after_the_run(tmp_path: Path) -> None:
    shop = Shop(tmp_path / 'shop.db')
    shop.refused = {1001}
    agent = agent_of(shop.tools, run_code(TWO), folder=tmp_path)
    result = await agent.run('go')
    await undo(result, agent)
    assert undone(result.all_messages()) == []
    await undo(result, agent, commit=True)
    assert undone(result.all_messages()) == [2]
    file = tmp_path / 'run.json'
    file.write_bytes(result.all_messages_json())
    shown = CliRunner().invoke(app, ['show', str(file)])
    assert (shown.exit_code, shown.output.count('undone)')) == (0, 1)


async def test_a_repeated_script_id_refers_to_the_script_that_was_undone(tmp_path: Path) -> None:
    shop = Shop(tmp_path / 'shop.db')
    first, second = run_code(TWO), run_code('await refund(order=3, amount=1)')
    second.tool_call_id = first.tool_call_id
    agent = agent_of(shop.tools, first, second, folder=tmp_path)
    result = await agent.run('go')
    await undo(result, agent, commit=True)
    assert shop.rows == [(1001, 5), (1002, 6)]
    assert [call.undone for call in script_calls(result.all_messages())] == [False, False, True]
