"""Capabilities that take part in an agent's tool calls take part in those of its scripts; the others cost nothing."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic_ai import Agent, FunctionToolset, RunContext
from pydantic_ai.capabilities import AbstractCapability, CombinedCapability, WrapperCapability

from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset
from toolscript.scripts.tools import HOOKS, with_tool_hooks

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

CODE = 'for n in range(3):\n    total = await add(a=n, b=2)\ntotal'


async def add(a: int, b: int) -> int:
    return a + b


@dataclass
class Silent(AbstractCapability[None]):
    """Says something of requests only."""

    async def before_model_request(self, ctx: RunContext[None], request_context: Any) -> Any:
        return request_context


@dataclass
class Asked(AbstractCapability[None]):
    """Keeps which calls it was asked about."""

    calls: list[str] = field(default_factory=list[str])

    async def before_tool_execute(self, ctx: RunContext[None], *, call: Any, **kinds: Any) -> Any:
        self.calls.append(call.tool_name)
        return kinds['args']


async def _run(*capabilities: AbstractCapability[None]) -> Any:
    script = Script([run_code(CODE)])
    toolset = CodeModeToolset(FunctionToolset[None]([add]))
    await Agent(script.model, deps_type=type(None), toolsets=[toolset], capabilities=capabilities).run('go')
    return script.answers[0]


def _set_on_the_object() -> tuple[AbstractCapability[None], list[str]]:
    asked, silent = Asked(), Silent()
    setattr(silent, 'before_tool_execute', asked.before_tool_execute)  # noqa: B010
    return silent, asked.calls


def _wrapped() -> tuple[AbstractCapability[None], list[str]]:
    asked = Asked()
    return WrapperCapability(asked), asked.calls


def _grouped() -> tuple[AbstractCapability[None], list[str]]:
    asked = Asked()
    return CombinedCapability([Silent(), asked]), asked.calls


def _plain() -> tuple[AbstractCapability[None], list[str]]:
    asked = Asked()
    return asked, asked.calls


@pytest.mark.parametrize('made', [_plain, _wrapped, _grouped, _set_on_the_object])
async def test_a_capability_with_a_hook_of_tools_is_asked_about_each_call(
    made: Callable[[], tuple[AbstractCapability[None], list[str]]],
) -> None:
    capability, calls = made()
    assert await _run(capability) == 4
    assert calls == ['run_code', 'add', 'add', 'add']


@pytest.mark.parametrize('hook', sorted(HOOKS))
def test_each_hook_alone_is_reason_enough_to_ask(hook: str) -> None:
    async def say(*_: object, **__: object) -> None: ...

    asked = type('Asked', (AbstractCapability,), {hook: say})()
    root = CombinedCapability[None]([Silent(), asked])
    assert with_tool_hooks(root) is root
    assert with_tool_hooks(CombinedCapability[None]([Silent()])) is None
