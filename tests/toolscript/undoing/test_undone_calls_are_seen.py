"""Histories, as data, as text and as pages, say which calls were undone."""

from pathlib import Path

import pytest
from pydantic_ai import ModelMessage
from pydantic_ai.messages import ModelMessagesTypeAdapter
from typer.testing import CliRunner

from tests.toolscript.scripted import run_code
from tests.toolscript.undoing.shop import Shop
from tests.toolscript.undoing.test_scripts_are_undone import TWO, UNCAUGHT, agent_of
from tests.toolscript.undoing.test_undo_script import COMMIT, Talk
from toolscript import script_calls, undo
from toolscript.cli.app import app
from toolscript.history import render_html, render_text

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


def undone(messages: list[ModelMessage]) -> list[object]:
    """The orders of the refunds that were undone, if text and page say the same as the data."""
    stored = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(messages))
    calls = [call for call in script_calls(stored) if call.undone]
    text = [line for line in render_text(stored, width=200).splitlines() if line.endswith(', undone)')]
    assert (len(text), render_html(stored).count(', undone')) == (len(calls), len(calls))
    return [call.arguments['order'] for call in calls]


async def test_calls_that_the_model_undid(tmp_path: Path) -> None:
    talk = Talk(tmp_path, [run_code(TWO), run_code('await refund(order=3, amount=1)'), COMMIT])
    await talk.start()
    assert undone(talk.result.all_messages()) == []
    await talk.decide()
    assert undone(talk.result.all_messages()) == [3]


async def test_calls_of_a_script_that_ended_with_an_error(tmp_path: Path) -> None:
    shop = Shop(tmp_path / 'shop.db')
    again = 'await refund(order=2, amount=1)'
    agent = agent_of(shop.tools, run_code(UNCAUGHT), run_code(again), folder=tmp_path, undo_on='error')
    assert undone((await agent.run('go')).all_messages()) == [1]


async def test_calls_that_were_undone_after_the_run(tmp_path: Path) -> None:
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


async def test_an_id_that_a_later_script_repeats_names_the_script_that_was_undone(tmp_path: Path) -> None:
    shop = Shop(tmp_path / 'shop.db')
    first, second = run_code(TWO), run_code('await refund(order=3, amount=1)')
    second.tool_call_id = first.tool_call_id
    agent = agent_of(shop.tools, first, second, folder=tmp_path)
    result = await agent.run('go')
    await undo(result, agent, commit=True)
    assert shop.rows == [(1001, 5), (1002, 6)]
    assert [call.undone for call in script_calls(result.all_messages())] == [False, False, True]
