"""Scripts that wait, or whose process dies, give the output of their run all the same: once, and in any process."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput, PromptedOutput, UserError
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults

from tests.toolscript.approvals.chat_clients import AGUIClient, ChatClient, VercelClient
from tests.toolscript.approvals.conversation import KEY, Conversation
from tests.toolscript.scripted import Script, Turn, run_code, streaming
from toolscript import CodeModeToolset, CodeOutput, FunctionToolset, MemoryStore, Snapshots

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


class Stock(BaseModel):
    product: str
    pieces: int


NUTS = Stock(product='nut', pieces=3)


def doubled(product: str, pieces: int) -> Stock:
    return Stock(product=product, pieces=2 * pieces)


def desk(log: list[str]) -> FunctionToolset[object]:
    tools = FunctionToolset[object]()

    @tools.tool_plain(requires_approval=True)
    def sign(what: str) -> str:
        log.append(f'sign {what}')
        return f'signed {what}'

    @tools.tool_plain
    def note(what: str) -> str:
        log.append(f'note {what}')
        return what

    return tools


@dataclass(kw_only=True)
class Answering(Conversation):
    """A conversation whose scripts may give the output."""

    output_type: Any
    around: Callable[[CodeModeToolset[object]], Any] = lambda toolset: toolset

    @property
    def agent(self) -> Agent[object, Any]:
        return Agent(
            streaming(self.script),
            deps_type=object,
            output_type=[self.output_type, DeferredToolRequests],
            toolsets=[self.around(CodeModeToolset(self.toolset, snapshots=self.snapshots))],
            capabilities=[CodeOutput[object]()],
        )


def talk(output_type: Any, *turns: Turn, **options: Any) -> tuple[Answering, list[str]]:
    log = list[str]()
    return Answering(desk(log), Script([*turns]), output_type=output_type, **options), log


OUTPUTS = [
    pytest.param(Stock, "final_result('nut', pieces=3)", NUTS, id='model'),
    pytest.param(doubled, "final_result('nut', 3)", Stock(product='nut', pieces=6), id='output function'),
    pytest.param(int, 'final_result(3)', 3, id='int'),
    pytest.param(str, "final_text('three nuts')", 'three nuts', id='text'),
    pytest.param(NativeOutput(Stock), "final_result('nut', pieces=3)", NUTS, id='native'),
    pytest.param(
        PromptedOutput([Stock, int]), "final_result(result={'kind': 'int', 'data': {'response': 3}})", 3, id='prompted'
    ),
]
SHAPES = [
    pytest.param("done = await sign('a')\nawait {answer}", id='waits before'),
    pytest.param("await {answer}\nawait sign('a')", id='waits behind'),
    pytest.param("await asyncio.gather({answer}, sign('a'))", id='beside what waits'),
    pytest.param("await asyncio.gather(sign('a'), {answer})", id='behind what waits'),
]


@pytest.mark.parametrize('stored', [False, True])
@pytest.mark.parametrize('shape', SHAPES)
@pytest.mark.parametrize(('output_type', 'answer', 'output'), OUTPUTS)
async def test_it_comes_out_once_the_script_has_gone_on_elsewhere(
    output_type: Any, answer: str, output: object, shape: str, stored: bool
) -> None:
    snapshots = Snapshots(key='the key of the tests', store=MemoryStore()) if stored else KEY
    code = run_code(shape.format(answer=answer))
    conversation, log = talk(output_type, code, snapshots=snapshots)
    assert [call.tool_name for call in await conversation.start()] == ['sign']
    assert await conversation.decide(sign=True) == []
    assert (conversation.output, log) == (output, ['sign a'])
    assert len(conversation.script.shown) == 1


async def test_what_was_given_before_a_pause_cannot_be_given_again_behind_it() -> None:
    code = "await final_result('nut', 3)\nawait sign('a')\nawait final_result('bolt', 1)"
    conversation, log = talk(Stock, run_code(code), run_code("await final_result('nut', 3)"))
    await conversation.start()
    await conversation.decide(sign=True)
    assert (conversation.output, log) == (NUTS, ['sign a'])
    assert 'This script has given the final answer already' in str(conversation.history)


@pytest.mark.parametrize('output_type', [Stock, NativeOutput(Stock)])
async def test_a_script_that_waits_as_a_whole_knows_the_functions_elsewhere(output_type: Any) -> None:
    def watched(toolset: CodeModeToolset[object]) -> Any:
        return toolset.approval_required(lambda _ctx, tool_def, _args: tool_def.name == 'run_code')

    code = run_code("await note('a')\nawait final_result(product='nut', pieces=3)")
    conversation, log = talk(output_type, code, around=watched)
    assert [call.tool_name for call in await conversation.start()] == ['run_code']
    await conversation.decide(run_code=True)
    assert (conversation.output, log) == (NUTS, ['note a'])


async def test_output_that_could_not_be_checked_elsewhere_is_checked_at_the_end() -> None:
    def watched(toolset: CodeModeToolset[object]) -> Any:
        return toolset.approval_required(lambda _ctx, tool_def, _args: tool_def.name == 'run_code')

    turns = [run_code("await final_result(product='nut')"), '{"product": "nut", "pieces": 3}']
    conversation, _ = talk(NativeOutput(Stock), *turns, around=watched)
    await conversation.start()
    await conversation.decide(run_code=True)
    assert conversation.output == NUTS
    assert len(conversation.script.shown) == 2


@pytest.mark.parametrize('client', [VercelClient, AGUIClient])
async def test_through_a_chat_ui_it_is_what_the_agent_says(client: type[ChatClient]) -> None:
    snapshots = Snapshots(key='the key of the tests', store=MemoryStore())
    code = "await note('a')\ndone = await sign('a')\nawait final_text(done)"
    conversation, log = talk(str, run_code(code), snapshots=snapshots)
    chat = client(lambda: conversation.agent)
    await chat.say('go')
    assert len(chat.asked) == 1
    await chat.answer(approved=True)
    assert (chat.said, log) == ('signed a', ['note a', 'sign a'])
    assert len(conversation.script.shown) == 1


async def ended_script(*turns: Turn) -> tuple[Answering, list[ModelMessage]]:
    """A conversation with the history of a run that died when its script had ended."""
    conversation, _ = talk(Stock, run_code("await final_result('nut', 3)"), *turns)
    history = list[ModelMessage]()
    async with conversation.agent.iter('go') as run:
        async for node in run:
            if Agent.is_call_tools_node(node):
                request = await run.next(node)
                assert Agent.is_model_request_node(request)
                history = [*run.all_messages(), request.request]
                break
    carried = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(history))
    return conversation, carried


async def test_a_run_that_died_behind_the_script_ends_without_a_model() -> None:
    conversation, history = await ended_script()
    result = await conversation.agent.run(message_history=history)
    assert result.output == NUTS
    assert len(conversation.script.shown) == 1


async def test_a_new_prompt_behind_the_script_is_read_first() -> None:
    conversation, history = await ended_script(run_code("await final_result('bolt', 1)"))
    result = await conversation.agent.run('Bolts, I meant.', message_history=history)
    assert result.output == Stock(product='bolt', pieces=1)
    assert len(conversation.script.shown) == 2


async def test_approved_without_its_snapshot_nothing_is_given() -> None:
    conversation, log = talk(Stock, run_code("await final_result('nut', 3)\nawait sign('a')"))
    await conversation.start()
    (script_id,) = {call.script_id for call in conversation.waiting}
    assert script_id is not None
    with pytest.raises(UserError):
        await conversation.resume(DeferredToolResults(approvals={script_id: True}))
    assert log == []
