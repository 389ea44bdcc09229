"""The examples of the pages on approvals and durability run, and go as told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.models.function import FunctionModel

from tests.toolscript.scripted import Script, run_code

pytestmark = pytest.mark.anyio

DOCS = Path(__file__).parents[3] / 'docs'


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Naming a model needs a key; nothing is ever sent with it. Files land in a folder of their own."""
    monkeypatch.setenv('ANTHROPIC_API_KEY', 'none')
    monkeypatch.setenv('TOOLSCRIPT_SNAPSHOT_KEY', 'the key of the docs')
    monkeypatch.chdir(tmp_path)


def page(name: str) -> tuple[dict[str, Any], list[str]]:
    """What the examples of a page define, run one after the other, and its blocks of text."""
    text = (DOCS / name).read_text()
    namespace: dict[str, Any] = {'__name__': 'docs'}
    for example in re.findall(r'```python\n(.*?)```', text, re.DOTALL):
        exec(compile(example, name, 'exec', dont_inherit=True), namespace)
    return namespace, re.findall(r'```text\n(.*?)```', text, re.DOTALL)


def model_of(script: Script) -> FunctionModel:
    return script.model


async def test_the_page_on_approvals_goes_as_told(capsys: pytest.CaptureFixture[str]) -> None:
    names, (code,) = page('approvals.md')
    agent: Agent[None, Any] = names['agent']
    model = Script([run_code(code), 'Two of three.'])
    with agent.override(model=model_of(model)):
        await names['main']()
    assert capsys.readouterr().out == snapshot("""\
refund {'order': 17}
refund {'order': 23}
refund {'order': 42}
Two of three.
""")
    assert 'PermissionError: refund was not approved' in model.answers[0]
    assert 'Already done: overdue_orders, refund (2 calls).' in model.answers[0]


async def test_the_page_on_approvals_goes_on_elsewhere() -> None:
    names, (code,) = page('approvals.md')
    agent: Agent[None, Any] = names['agent']
    model = Script([run_code(code)])
    with agent.override(model=model_of(model)):
        first = await agent.run('go')
        assert isinstance(first.output, DeferredToolRequests)
        assert await names['go_on'](*names['to_json'](first)) == 'done'
    assert model.answers == snapshot(
        [['100% of order 17 refunded', '100% of order 23 refunded', '100% of order 42 refunded']]
    )
