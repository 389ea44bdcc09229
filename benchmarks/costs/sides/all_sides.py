"""The sides that are measured, and their environments."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Side:
    """One way to run scripts."""

    module: str
    """The name of a module next to this one; it has `runs()`, and is imported in the environment of the side."""
    lock: str | None
    """The name of that environment in `demo/locks`; `None` for the current one."""
    packages: tuple[str, ...]
    """The packages whose versions are reported."""
    imports: str
    """The imports of a program that uses it."""
    builds: str
    """The code with which that program builds an agent or server."""
    without: str
    """The imports of a program without code mode."""
    builds_without: str
    """The code with which that program builds an agent or server."""


OURS = 'toolscript'
PEER = 'pydantic-ai-harness'
"""The closest peer: an agent capability whose `run_code` also runs in Monty."""
SIDES = {
    OURS: Side(
        'ours',
        None,
        ('pydantic-ai-slim', 'pydantic-monty'),
        'from pydantic_ai import Agent; from toolscript import CodeModeToolset',
        'from pydantic_ai.toolsets import FunctionToolset; Agent(toolsets=[CodeModeToolset(FunctionToolset())])',
        'from pydantic_ai import Agent',
        'from pydantic_ai.toolsets import FunctionToolset; Agent(toolsets=[FunctionToolset()])',
    ),
    PEER: Side(
        'harness',
        'harness',
        ('pydantic-ai-harness', 'pydantic-ai-slim', 'pydantic-monty'),
        'from pydantic_ai import Agent; from pydantic_ai_harness import CodeMode',
        'Agent(capabilities=[CodeMode()])',
        'from pydantic_ai import Agent',
        'Agent()',
    ),
    'FastMCP': Side(
        'fastmcp_server',
        'fastmcp',
        ('fastmcp-slim', 'pydantic-monty'),
        'from fastmcp import FastMCP; from fastmcp.experimental.transforms.code_mode import CodeMode',
        "FastMCP('bench', transforms=[CodeMode()])",
        'from fastmcp import FastMCP',
        "FastMCP('bench')",
    ),
}
