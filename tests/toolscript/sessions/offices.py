"""Conversations of several users whose scripts save functions."""

from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import Agent, ModelMessage
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults
from pydantic_ai.toolsets import AbstractToolset

from tests.toolscript.scripted import Script, Turn, read_of_tools, run_code
from toolscript import (
    CodeModeToolset,
    FunctionToolset,
    MemoryStore,
    SavedFunctions,
    SearchableToolset,
    Sessions,
    Snapshots,
)

TOP = """
from collections import Counter
from typing import Any

CURRENCY = {'unit': 'EUR'}

async def top_customers(country: str, count: int = 2) -> list[Any]:
    '''Customers by what they spent.'''
    totals = Counter()
    for order in await orders_of(country):
        totals[order['customer']] += order['total']
    return [[name, total, CURRENCY['unit']] for name, total in totals.most_common(count)]
"""
SAVE = f"{TOP}\nawait save_function(top_customers, 'Customers who spent most in a country.')"
ORDERS = [{'customer': name, 'total': total} for name, total in (('ann', 3), ('bob', 1), ('ann', 4), ('eve', 5))]


def orders_of(country: str) -> list[dict[str, Any]]:
    return ORDERS if country == 'NO' else []


def tools(*functions: Any) -> FunctionToolset[Any]:
    return FunctionToolset[Any]([*(functions or (orders_of,))])


def of_user(store: Any = None, **options: Any) -> SavedFunctions:
    """Return saved functions of the user that `deps` names."""
    return SavedFunctions(
        MemoryStore() if store is None else store, scope='user', owner=lambda ctx: ctx.deps, **options
    )


@dataclass
class Office:
    """An application in which conversations start and continue."""

    functions: SavedFunctions | None
    toolset: AbstractToolset[Any] = field(default_factory=tools)
    sessions: Sessions | None = None
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    history: dict[str, list[ModelMessage]] = field(default_factory=dict[str, list[ModelMessage]])
    script: Script = field(default_factory=lambda: Script([]))
    """The model of the last run."""
    output: Any = None

    async def run(self, *codes: str | Turn, user: str | None = 'ann', chat: str = 'chat', **options: Any) -> list[Any]:
        """Run scripts and return, for each, its result or the message of its retry."""
        self.script = Script([run_code(code) if isinstance(code, str) else code for code in codes])
        toolset = CodeModeToolset[Any](
            SearchableToolset(self.toolset),
            functions=self.functions,
            sessions=self.sessions,
            snapshots=Snapshots(key='the key of the tests'),
            **self.options,
        )
        agent = Agent(self.script.model, toolsets=[toolset], deps_type=object, output_type=[str, DeferredToolRequests])
        prompt = None if options else 'go'
        result = await agent.run(
            prompt, message_history=self.history.get(chat, []), conversation_id=chat, deps=user, **options
        )
        self.history[chat], self.output = result.all_messages(), result.output
        return read_of_tools(result.new_messages())

    async def decide(
        self, results: DeferredToolResults, *codes: str, user: str = 'ann', chat: str = 'chat'
    ) -> list[Any]:
        """Do the next run of a conversation, with these decisions."""
        return await self.run(*codes, user=user, chat=chat, deferred_tool_results=results)

    @property
    def description(self) -> str:
        return self.script.shown[-1]['run_code'].description or ''
