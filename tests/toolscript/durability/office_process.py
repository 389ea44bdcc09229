"""One run of a small agent in a process of its own: JSON in, JSON out."""

import asyncio
import json
import sys
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai import Agent, ModelMessage, ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import DeferredToolRequests

from toolscript import CodeModeToolset, FunctionToolset, pending_calls, resolve

CODE = """
import asyncio
seen = await lookup('Ada')
letters = await asyncio.gather(*[send(seen, n) for n in range(2)], lookup('Bob'))
[seen, *letters]
"""


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Sends the code first and repeats its result then."""
    last = messages[-1].parts[-1]
    if last.part_kind == 'tool-return':
        return ModelResponse([TextPart(json.dumps(last.content))])
    return ModelResponse([ToolCallPart('run_code', {'code': CODE}, tool_call_id='call-1')])


def lookup(name: str) -> str:
    """An address."""
    log.append(f'lookup {name}')
    return f'{name.lower()}@example.com'


def send(address: str, n: int) -> str:
    """Send a letter."""
    log.append(f'send {n}')
    return f'{n} to {address}'


async def main(given: dict[str, Any]) -> dict[str, Any]:
    """Run once, from the beginning or from where another process stopped."""
    toolset = FunctionToolset[object]()
    toolset.tool_plain(lookup)
    toolset.tool_plain(requires_approval=True)(send)
    agent = Agent(
        FunctionModel(model),
        deps_type=object,
        output_type=[str, DeferredToolRequests],
        toolsets=[CodeModeToolset(toolset)],
    )
    if not given:
        result = await agent.run('write to Ada')
    else:
        requests = TypeAdapter(DeferredToolRequests).validate_python(given['output'])
        decisions = {call.tool_call_id: True for call in pending_calls(requests)}
        history = ModelMessagesTypeAdapter.validate_python(given['history'])
        result = await agent.run(message_history=history, deferred_tool_results=resolve(requests, decisions))
    return {
        'output': TypeAdapter[Any](type(result.output)).dump_python(result.output, mode='json'),
        'history': ModelMessagesTypeAdapter.dump_python(result.all_messages(), mode='json'),
        'log': log,
    }


log: list[str] = []

if __name__ == '__main__':
    print(json.dumps(asyncio.run(main(json.loads(sys.stdin.read())))))
