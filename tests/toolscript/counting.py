"""How many functions are called by functions of this project while an agent runs, and which others."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

from pydantic_ai import Agent, FunctionToolset, ToolCallPart

import toolscript
import toolscript_sandbox
import toolscript_signatures
from toolscript import CodeModeToolset, Snapshots

from .scripted import Script

_OWN = tuple(
    str(Path(package.__file__ or '').parent) for package in (toolscript, toolscript_sandbox, toolscript_signatures)
)


def is_own(frame: FrameType) -> bool:
    """Whether the frame is of a function of this project."""
    return frame.f_code.co_filename.startswith(_OWN)


async def own_calls(calls: Sequence[ToolCallPart], *, tools: int = 1, snapshots: Snapshots | None = None) -> int:
    """The number, for an agent with so many code tools, the first of which adds, whose model makes these calls."""
    count = 0

    def watch(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ('call', 'c_call') and is_own(frame)

    await watched(calls, watch, tools=tools, snapshots=snapshots)
    return count


async def watched(
    calls: Sequence[ToolCallPart],
    watch: Callable[[FrameType, str, object], None],
    *,
    tools: int = 1,
    snapshots: Snapshots | None = None,
) -> None:
    """Run such an agent, and tell `watch` of each function that is called meanwhile."""
    toolset = FunctionToolset[object]()

    async def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    toolset.add_function(add)
    for number in range(1, tools):
        toolset.add_function(add, name=f'add_{number}', description=f'Add two numbers, way {number}.')
    script = Script([*calls])
    code = CodeModeToolset(toolset) if snapshots is None else CodeModeToolset(toolset, snapshots=snapshots)
    agent = Agent(script.model, deps_type=object, toolsets=[code])
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        await agent.run('go')
    finally:
        sys.setprofile(before)
    assert all(isinstance(answer, int) for answer in script.answers), script.answers
