"""The sides that are measured, and their environments."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Side:
    """A way to run scripts."""

    module: str
    """The module in this package that has `runs()`. It is imported in the side's environment."""
    lock: str | None
    """The name of that environment in `demo/locks`, or `None` for this one."""
    packages: tuple[str, ...]
    """The packages whose versions are reported."""
    program: str
    """A program that imports it and builds an agent."""
    without: str
    """The same program without code mode."""


OURS = 'toolscript'
PEER = 'pydantic-ai-harness'
"""The closest peer: a capability of agents whose `run_code` also runs in Monty."""
SIDES = {
    OURS: Side(
        'ours',
        None,
        ('pydantic-ai-slim', 'pydantic-monty'),
        'from pydantic_ai import Agent, FunctionToolset; from toolscript import CodeModeToolset; '
        'Agent(toolsets=[CodeModeToolset(FunctionToolset())])',
        'from pydantic_ai import Agent, FunctionToolset; Agent(toolsets=[FunctionToolset()])',
    ),
    PEER: Side(
        'harness',
        'harness',
        ('pydantic-ai-harness', 'pydantic-ai-slim', 'pydantic-monty'),
        'from pydantic_ai import Agent; from pydantic_ai_harness import CodeMode; Agent(capabilities=[CodeMode()])',
        'from pydantic_ai import Agent; Agent()',
    ),
    'FastMCP': Side(
        'fastmcp_server',
        'fastmcp',
        ('fastmcp-slim', 'pydantic-monty'),
        'from fastmcp import FastMCP; from fastmcp.experimental.transforms.code_mode import CodeMode; '
        "FastMCP('bench', transforms=[CodeMode()])",
        "from fastmcp import FastMCP; FastMCP('bench')",
    ),
}
