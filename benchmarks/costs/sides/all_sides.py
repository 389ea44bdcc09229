"""Who is measured, and where."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Side:
    """One way to run scripts."""

    module: str
    """Beside this one; it has `runs()`, and is imported in the environment of the side."""
    lock: str | None
    """Names that environment in `demo/locks`; ours is this one."""
    packages: tuple[str, ...]
    """Whose versions count."""
    imports: str
    """With what a program begins that uses it."""
    builds: str
    """What it builds then."""
    without: str
    """With what one begins that makes do without code mode."""
    builds_without: str
    """What that builds then."""


OURS = 'toolscript'
PEER = 'pydantic-ai-harness'
"""The nearest one: a capability of agents whose `run_code` runs in Monty too."""
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
