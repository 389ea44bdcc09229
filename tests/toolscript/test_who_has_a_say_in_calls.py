"""Capabilities that take part in an agent's tool calls take part in those of its scripts; the others cost nothing."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
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
    """Add two numbers."""
    return a + b


@dataclass
class Silent(AbstractCapability[None]):
    """Says something of requests only."""

    async def before_model_request(self, ctx: RunContext[None], request_context: Any) -> Any:
        """Nothing."""
        return request_context


@dataclass
class Asked(AbstractCapability[None]):
    """Keeps which calls it was asked about."""

    calls: list[str] = field(default_factory=list[str])

    async def before_tool_execute(self, ctx: RunContext[None], *, call: Any, **kinds: Any) -> Any:
        """Keep the tool's name."""
        self.calls.append(call.tool_name)
        return kinds['args']


async def _run(*capabilities: AbstractCapability[None]) -> Any:
    script = Script([run_code(CODE)])
    toolset = CodeModeToolset(FunctionToolset[None]([add]))
    await Agent(script.model, deps_type=type(None), toolsets=[toolset], capabilities=capabilities).run('go')
    return script.answers[0]


async def test_capabilities_without_a_hook_of_tools_are_not_asked_about_the_calls_of_a_script() -> None:
    asked = list[str]()

    def watch(frame: FrameType, event: str, arg: object) -> None:
        name = frame.f_code.co_name
        if event == 'call' and name in HOOKS and frame.f_locals.get('call') is not None:
            asked.append(frame.f_locals['call'].tool_name)

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        assert await _run(Silent()) == 4
    finally:
        sys.setprofile(before)
    assert set(asked) == {'run_code'}


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


def test_the_hooks_of_tools_are_those_of_their_validation_execution_and_deferral() -> None:
    kinds = [f'{moment}_tool_{deed}' for moment in ('before', 'after', 'wrap') for deed in ('validate', 'execute')]
    errors = ['on_tool_validate_error', 'on_tool_execute_error', 'handle_deferred_tool_calls']
    assert {*kinds, *errors} <= HOOKS


def test_a_root_of_another_kind_is_asked_for_itself() -> None:
    class Own(CombinedCapability[None]):
        pass

    own, alone = Own([Silent()]), Silent()
    assert with_tool_hooks(own) is own
    assert with_tool_hooks(alone) is alone
    assert with_tool_hooks(None) is None
