"""The examples of the page on discovery run, and do what it says they do."""

from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent

from tests.docs import blocks, run_block
from tests.toolscript.scripted import Script, run_code, search
from toolscript import CodeModeToolset, FunctionToolset, SearchableToolset, ToolSearchConfig

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio, pytest.mark.usefixtures('without_keys')]

PYTHON = blocks('docs/discovery.md')
YAML = blocks('docs/discovery.md', 'yaml')


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder with the file that an example reads."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'agent.yaml').write_text(YAML[0])


def run(example: str) -> dict[str, Any]:
    names: dict[str, Any] = {'__name__': 'page'}
    run_block(example, names)
    return names


async def test_a_deferred_toolset_hides_all_but_what_says_otherwise() -> None:
    names = run(PYTHON[0])
    script = Script([])
    await Agent(script.model, toolsets=[names['searchable']]).run('go')
    assert list(script.shown[0]) == ['balance', 'pai_tool_search_tool']


async def test_what_the_users_words_find_is_shown_in_the_first_request() -> None:
    names = run(PYTHON[0] + PYTHON[1])
    for agent, tools in ((names['direct'], ['pai_tool_search_tool', 'refund_payment']), (names['code'], ['run_code'])):
        script = Script([])
        with agent.override(model=script.model):
            await agent.run('Refund the payment P-7, please.')
        assert [name for name in script.shown[0] if name in tools] == tools
    assert 'async def refund_payment(payment_id: str)' in (script.shown[0]['run_code'].description or '')


async def test_found_tools_for_code_are_called_from_code() -> None:
    known, hidden = FunctionToolset[object](), FunctionToolset[object](defer_loading=True)

    def orders_of(customer_id: int) -> list[float]:
        return [10.0, 20.0 * customer_id]

    def in_euros(amount: float) -> float:
        return amount * 0.9

    known.tool_plain(orders_of)
    hidden.tool_plain(allowed_callers='code')(in_euros)
    agent = Agent('test', toolsets=[CodeModeToolset(known), SearchableToolset(hidden)])
    script = Script([search('euros'), run_code('await in_euros(sum(await orders_of(1)))')])
    with agent.override(model=script.model):
        await agent.run('What did customer 1 spend?')
    assert [list(shown) for shown in script.shown] == [['run_code', 'pai_tool_search_tool']] * 3
    assert script.answers[1] == 27.0


def test_settings_are_read_from_a_file() -> None:
    pytest.importorskip('yaml')
    names = run(PYTHON[2])
    eager = {'github': ['search_*', 'get_issue']}
    assert names['config'] == ToolSearchConfig(enabled=True, strategy='bm25', eager_tools=eager)
    assert isinstance(names['agent'], Agent)
