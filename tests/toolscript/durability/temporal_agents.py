# pyright: basic, reportMissingImports=false
"""Agents in code mode for Temporal workflows. Their model sends the scripts of the prompt.

Workflows import this module outside their sandbox, because each would run it again.
"""

import asyncio
import json
import os
import sqlite3
import sys
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from fastmcp.client.transports import StdioTransport
from pydantic_ai import (
    Agent,
    ApprovalRequired,
    DeferredToolRequests,
    Embedder,
    ModelMessage,
    ModelResponse,
    RunContext,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.durable_exec.temporal import TemporalDurability
from pydantic_ai.embeddings import TestEmbeddingModel
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import RetryPromptPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import Tool
from temporalio.common import RetryPolicy

from toolscript import (
    CodeMode,
    CodeModeSteps,
    CodeModeToolset,
    Files,
    Flows,
    FunctionToolset,
    Limits,
    MemoryStore,
    SavedFunctions,
    Sessions,
    Snapshots,
    SpeculativeReads,
    ToolRule,
    ToolSearchOptions,
)
from toolscript.search.meaning import SearchByMeaning


def sends(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Send the scripts one after the other, and answer with their results."""
    prompt = messages[0].parts[0]
    assert isinstance(prompt, UserPromptPart)
    scripts = json.loads(str(prompt.content))
    made = sum(isinstance(message, ModelResponse) for message in messages)
    if made < len(scripts):
        return ModelResponse([ToolCallPart('run_code', {'code': scripts[made]}, f'script-{made}')])
    parts = [part for message in messages for part in message.parts]
    reported = [part.content for part in parts if isinstance(part, ToolReturnPart | RetryPromptPart)]
    return ModelResponse([TextPart(json.dumps(reported))])


def numbered(number: int) -> Tool[object]:
    async def tool(n: int) -> int:
        return n + number

    # Reading the schemas of a thousand functions takes each process a second.
    schema = {'type': 'object', 'properties': {'n': {'type': 'integer'}}, 'required': ['n']}
    made = Tool[object].from_schema(tool, f'plus_{number}', f'Add {number} to a number.', schema)
    made.defer_loading = True
    return made


async def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


async def fail(why: str) -> str:
    """Fail."""
    raise ValueError(why)


async def text(size: int) -> str:
    """A text that cannot be made shorter."""
    return os.urandom(size // 2).hex()


async def wait(seconds: float) -> float:
    """Wait."""
    await asyncio.sleep(seconds)
    return seconds


async def pay(ctx: RunContext[object], amount: int) -> str:
    """Pay, once a person has approved it."""
    if not ctx.tool_call_approved:
        raise ApprovalRequired
    return f'paid {amount}'


async def note(ctx: RunContext[object], n: int) -> int:
    """Write a line to the ledger."""
    with sqlite3.connect(os.environ['LEDGER'], timeout=30) as ledger:
        ledger.execute('insert into ledger values (?, ?)', (ctx.conversation_id, n))
    ledger.close()
    await asyncio.sleep(0.02)
    return n * n


TOOLS = [add, fail, text, wait, pay, note]


def durability(seconds: float = 60, most: int = 1) -> TemporalDurability:
    policy = RetryPolicy(maximum_attempts=most, initial_interval=timedelta(milliseconds=10), backoff_coefficient=1)
    return TemporalDurability(
        activity_config={'start_to_close_timeout': timedelta(seconds=seconds), 'retry_policy': policy},
        # Only steps are delayed.
        model_activity_config={'start_to_close_timeout': timedelta(seconds=60)},
    )


def sixty_functions() -> SavedFunctions:
    """Functions of the application that add numbers, more than are read without a thread."""
    code = 'async def plus_{0}(a: int) -> int:\n    """Add {0}."""\n    return await add(a, {0})\n\n\n'
    with TemporaryDirectory() as name:
        Path(name, 'sums.py').write_text(''.join(code.format(n) for n in range(60)))
        return SavedFunctions(folder=Path(name))


def toolset(**settings) -> CodeModeToolset:
    return CodeModeToolset(FunctionToolset(TOOLS, id='tools'), **settings)


def an_agent(
    name: str, *capabilities, durability: TemporalDurability, **settings
) -> Agent[object, str | DeferredToolRequests]:
    return Agent(
        FunctionModel(sends),
        name=name,
        output_type=[str, DeferredToolRequests],
        capabilities=[*capabilities, durability],
        **settings,
    )


def server(name: str, *arguments: str) -> MCPToolset[object]:
    program = Path(__file__).parents[2] / 'servers' / f'{name}.py'
    return MCPToolset(StdioTransport(sys.executable, [str(program), *arguments]), id=name, init_timeout=60)


_FOLDER = TemporaryDirectory()
ORDERS = Path(_FOLDER.name, 'orders')
"""The file that tells the mortal server to start."""
KEY = Snapshots(key='the key of the tests')
_ENCRYPTED = Snapshots(encryption_key='the encryption key of the tests')
_again = RetryPolicy(initial_interval=timedelta(milliseconds=50), backoff_coefficient=1)
_hardy = TemporalDurability(
    activity_config={
        'start_to_close_timeout': timedelta(minutes=1),
        'heartbeat_timeout': timedelta(seconds=3),
        'retry_policy': _again,
    }
)
_IN_CHILD = {'temporal': {'child_workflow': {'execution_timeout': timedelta(seconds=1)}}}
_impatient = Limits(max_script_seconds=1, max_calls=5_000)
_longer = Limits(max_script_seconds=1.5)
AGENTS = {
    one.name: one
    for one in (
        an_agent('desk', CodeMode(snapshots=KEY), durability=durability(), tools=TOOLS),
        an_agent('impatient', CodeMode(limits=_impatient), durability=durability(), tools=TOOLS),
        an_agent('encrypted', CodeMode(snapshots=_ENCRYPTED), durability=durability(), tools=TOOLS),
        an_agent(
            'hardy', CodeMode(snapshots=KEY, limits=Limits(max_script_seconds=20)), durability=_hardy, tools=TOOLS
        ),
        an_agent('by_toolset', CodeModeSteps(), durability=durability(), toolsets=[toolset(snapshots=KEY)]),
        an_agent('hasty', CodeMode(limits=_longer), durability=durability(1), tools=TOOLS),
        an_agent('stubborn', CodeMode(limits=_longer), durability=durability(1, most=0), tools=TOOLS),
        an_agent('wide', CodeMode(limits=Limits(max_calls=5_000)), durability=durability(), tools=TOOLS),
        an_agent('slow', CodeMode(limits=Limits(max_script_seconds=14)), durability=durability(), tools=TOOLS),
        an_agent('large', CodeMode(limits=Limits(max_step_bytes=8_000_000)), durability=durability(), tools=TOOLS),
        an_agent(
            'many',
            CodeMode(
                search=ToolSearchOptions(algorithm='bm25'),
                rules=[
                    ToolRule('plus_987', requires_approval=True),
                    ToolRule('get_issue', server='issues', requires_approval=True),
                ],
                snapshots=KEY,
            ),
            durability=durability(),
            tools=[numbered(number) for number in range(1_000)],
            toolsets=[server('issues')],
        ),
        an_agent('mortal', CodeMode(), durability=durability(), toolsets=[server('mortal', str(ORDERS))]),
        an_agent(
            'strict', CodeMode(tool_errors='raise', functions=sixty_functions()), durability=durability(), tools=TOOLS
        ),
        an_agent('child', CodeMode(), durability=durability(), tools=[Tool(wait, metadata=_IN_CHILD)]),
        an_agent('early', CodeMode(), SpeculativeReads(), durability=durability(), tools=TOOLS),
        an_agent('without_steps', durability=durability(), toolsets=[toolset()]),
        *(
            an_agent(name, CodeMode(**settings), durability=durability(), tools=TOOLS)
            for name, settings in {
                'store': {'snapshots': Snapshots(key='the key of the tests', store=MemoryStore())},
                'undo': {'snapshots': Snapshots(key='the key of the tests', store=MemoryStore()), 'undo_tool': True},
                'sessions': {'sessions': Sessions()},
                'functions': {'functions': SavedFunctions(MemoryStore())},
                'planned': {'plan_writes': True},
                'flows': {'flows': Flows()},
                'files': {'files': Files({'/data': Path(__file__).parent})},
                'meaning': {'search': ToolSearchOptions(algorithm=SearchByMeaning(Embedder(TestEmbeddingModel())))},
            }.items()
        ),
    )
}
