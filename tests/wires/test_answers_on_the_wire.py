"""The output of a script is in the history in a form that every wire accepts."""

from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, ModelRetry, NativeOutput, PromptedOutput, ToolOutput

from tests.providers.loopback import loopback
from tests.providers.replies import Call, reply
from tests.wires.office import MODELS, in_turn
from toolscript import CodeModeToolset, CodeOutput, FunctionToolset

pytestmark = pytest.mark.pydantic_ai


class Stock(BaseModel):
    product: str
    pieces: int


def agent(model: Any, output_type: Any) -> Agent[object, Any]:
    def pieces() -> list[int]:
        """The pieces on each shelf."""
        return [20, 22]

    return Agent(
        model,
        output_type=output_type,
        toolsets=[CodeModeToolset(FunctionToolset[object]([pieces]))],
        capabilities=[CodeOutput[object]()],
        retries=3,
    )


def code(text: str) -> Any:
    return reply(Call('run_code', {'code': text}))


OUTPUTS = [
    pytest.param(Stock, "final_result('{}', sum(await pieces()))", id='tool'),
    pytest.param(ToolOutput(Stock, name='tell'), "tell('{}', sum(await pieces()))", id='named tool'),
    pytest.param(NativeOutput(Stock), "final_result('{}', sum(await pieces()))", id='native'),
    pytest.param(PromptedOutput(Stock), "final_result('{}', sum(await pieces()))", id='prompted'),
]


@pytest.mark.parametrize('wire', MODELS)
@pytest.mark.parametrize(('output_type', 'answer'), [*OUTPUTS, pytest.param(str, "final_text('{}')", id='text')])
async def test_a_refusal_is_sent_and_the_provider_accepts_it(wire: str, output_type: Any, answer: str) -> None:
    first, second = (code(f'await {answer.format(product)}') for product in ('nut', 'bolt'))
    with loopback(in_turn(first, second)) as wires:
        desk = agent(wires.named(wire), output_type)

        @desk.output_validator
        def no_nuts(output: Any) -> Any:
            if 'nut' in str(output):
                raise ModelRetry('We are out of nuts.')
            return output

        result = await desk.run('what have we got?')
    assert 'bolt' in str(result.output)
    assert len(wires.requests) == 2
    assert 'We are out of nuts.' in ' '.join(line.text for line in wires.requests[1].reading.lines)


@pytest.mark.parametrize('second', MODELS)
@pytest.mark.parametrize('first', MODELS)
async def test_another_provider_accepts_the_history(first: str, second: str) -> None:
    with loopback(in_turn(code("await final_result('nut', 1)"), code("await final_result('bolt', 2)"))) as wires:
        nuts = await agent(wires.named(first), Stock).run('nuts?')
        bolts = await agent(wires.named(second), Stock).run('bolts?', message_history=nuts.all_messages())
    assert bolts.output == Stock(product='bolt', pieces=2)
