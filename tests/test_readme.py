"""The examples of the README run, and show what it says they show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent

from tests.toolscript.scripted import Script, run_code, search

pytestmark = pytest.mark.anyio

README = (Path(__file__).parent.parent / 'README.md').read_text()
PYTHON = re.findall(r'```python\n(.*?)```', README, re.DOTALL)
TEXT = re.findall(r'```text\n(.*?)```', README, re.DOTALL)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Naming a model needs a key; nothing is ever sent with it."""
    monkeypatch.setenv('ANTHROPIC_API_KEY', 'none')


def run(example: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {'__name__': 'readme'}
    exec(compile(example, 'README.md', 'exec', dont_inherit=True), namespace)
    return namespace


@pytest.mark.parametrize('example', PYTHON, ids=[f'example-{n}' for n, _ in enumerate(PYTHON, start=1)])
def test_each_example_runs(example: str) -> None:
    assert isinstance(run(example)['agent'], Agent)


async def test_the_first_example_goes_as_told() -> None:
    signature, script = TEXT[:2]
    agent = run(PYTHON[0])['agent']
    model = Script([run_code(script), 'done', search('orders')])
    with agent.override(model=model.model):
        await agent.run('What did customers 1 to 3 spend?')
        await agent.run('Hello')
    assert list(model.shown[0]) == ['current_time', 'pai_tool_search_tool', 'run_code']
    assert model.answers[0] == 75.0
    shown = [signature.strip() in (tools['run_code'].description or '') for tools in model.shown]
    assert shown == [True, True, False, True]
