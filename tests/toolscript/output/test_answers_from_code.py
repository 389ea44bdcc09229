"""A script gives the output of its run, once, when it has ended well; whatever is wrong with it reaches the model."""

from collections.abc import Sequence
from typing import Any, Literal

import pytest
from inline_snapshot import snapshot
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic import BaseModel
from pydantic_ai import Agent, ModelRetry, RunContext, ToolOutput, ToolReturn, UnexpectedModelBehavior, UserError
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import UsageLimitExceeded
from pydantic_ai.messages import BinaryContent, ModelMessage, ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.toolsets import CombinedToolset
from pydantic_ai.usage import UsageLimits

from tests.toolscript.output.answering import agent, done, shelf
from tests.toolscript.scripted import Script, call, run_code
from toolscript import CodeMode, CodeModeToolset, CodeOutput, FunctionToolset
from toolscript.agent import Agent as OurAgent

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


class Stock(BaseModel):
    product: str
    pieces: int


def answered(messages: Sequence[ModelMessage]) -> list[tuple[str, str]]:
    """Each tool call of a history with what came back for it."""
    parts = [part for message in messages for part in message.parts]
    calls = {part.tool_call_id: part for part in parts if isinstance(part, ToolCallPart)}
    returns = [part for part in parts if isinstance(part, ToolReturnPart)]
    assert sorted(part.tool_call_id for part in returns) == sorted(calls), 'each call has its return'
    return [(calls[part.tool_call_id].tool_name, part.model_response_str()) for part in returns]


async def test_the_history_reads_as_if_the_model_had_sent_the_output() -> None:
    run = await done(Stock, run_code("await final_result('nut', sum(await pieces()))"))
    assert run.lines == snapshot(
        [
            'UserPromptPart go',
            'run_code({"code":"await final_result(\'nut\', sum(await pieces()))"})',
            'run_code -> The final answer was given.',
            'final_result({"product":"nut","pieces":42})',
            'final_result -> Final result processed.',
        ]
    )
    assert answered(run.messages) == snapshot(
        [('run_code', 'The final answer was given.'), ('final_result', 'Final result processed.')]
    )


async def test_the_history_says_which_response_no_model_made() -> None:
    run = await done(Stock, run_code('await pieces()'), run_code("await final_result('nut', 1)"))
    responses = [message for message in run.messages if isinstance(message, ModelResponse)]
    (call,) = responses[1].tool_calls
    assert [response.metadata for response in responses] == [None, None, {'toolscript_answer': call.tool_call_id}]
    assert (responses[2].usage.input_tokens, responses[2].model_name) == (0, None)


async def test_a_later_run_goes_on_with_the_history() -> None:
    script = Script([run_code("await final_result('nut', 1)"), run_code("await final_result('bolt', 2)")])
    desk = agent(script, Stock)
    first = await desk.run('one')
    second = await desk.run('two', message_history=first.all_messages())
    assert (first.output, second.output) == (Stock(product='nut', pieces=1), Stock(product='bolt', pieces=2))
    assert len(script.shown) == 2
    assert len(answered(second.all_messages())) == 4


async def test_the_prompt_stays_as_it_is_from_request_to_request() -> None:
    script = Script([run_code('await pieces()'), run_code("await final_result('nut', 1)")])
    await agent(script, Stock).run('go')
    first, second = script.shown
    assert first == second


# -- when it counts


async def test_the_script_runs_on_behind_it() -> None:
    code = "await final_result('nut', 1)\nprint('written down')\n[n + 1 for n in await pieces()]"
    run = await done(Stock, run_code(code))
    assert run.output == Stock(product='nut', pieces=1)
    assert run.lines[2] == snapshot('run_code -> {"stdout":"written down\\n","result":[21,23]}')


async def test_an_answer_of_a_script_that_fails_behind_it_is_not_taken() -> None:
    run = await done(Stock, run_code("await final_result('nut', 1)\n1 / 0"), run_code("await final_result('bolt', 2)"))
    assert (run.output, run.asked) == (Stock(product='bolt', pieces=2), 2)
    assert run.script.answers[0] == snapshot("""\
line 2: 1 / 0
        ^^^^^
ZeroDivisionError: division by zero
Calls: final_result finished.

The final answer that this script gave was not taken, because the script failed: give it again.\
""")


@pytest.mark.parametrize(
    'twice',
    [
        "await final_result('nut', 1)\nawait final_result('bolt', 2)",
        "await asyncio.gather(final_result('nut', 1), final_result('bolt', 2))",
        "for n in await pieces():\n    await final_result('nut', n)",
        "async def tell(n):\n    await final_result('nut', n)\nawait tell(1)\nawait tell(2)",
    ],
)
async def test_there_is_one_answer(twice: str) -> None:
    run = await done(Stock, run_code(twice), run_code("await final_result('screw', 3)"))
    assert (run.output, run.asked) == (Stock(product='screw', pieces=3), 2)
    assert 'RuntimeError: This script has given the final answer already' in run.script.answers[0]


async def test_the_first_of_two_counts_where_the_script_catches_what_the_second_raises() -> None:
    code = "await final_result('nut', 1)\ntry:\n    await final_result('bolt', 2)\nexcept RuntimeError:\n    pass"
    assert (await done(Stock, run_code(code))).output == Stock(product='nut', pieces=1)


async def test_a_script_may_catch_a_refusal_and_give_another() -> None:
    code = """
async def tell(pieces):
    try:
        await final_result('nut', pieces)
    except ValueError as error:
        print(error)
        await final_result('nut', 0)

await tell('n' * len(await pieces()))
"""
    run = await done(Stock, run_code(code))
    assert (run.output, run.asked) == (Stock(product='nut', pieces=0), 1)
    assert run.lines[2] == snapshot(
        'run_code -> {"stdout":"final_result got arguments it cannot take:\\n- pieces: Input should be a valid integer, unable to parse string as an integer (got \'nn\')\\n"}'
    )


async def test_only_a_call_that_is_made_gives_it() -> None:
    run = await done(Stock, run_code("if not await pieces():\n    await final_result('nut', 0)\n'some'"), call_final())
    assert (run.output, run.asked) == (Stock(product='own', pieces=1), 2)


def call_final() -> ToolCallPart:
    return call('final_result', product='own', pieces=1)


async def test_of_two_scripts_in_one_turn_the_first_counts() -> None:
    run = await done(Stock, [run_code("await final_result('nut', 1)"), run_code("await final_result('bolt', 2)")])
    assert (run.output, run.asked) == (Stock(product='nut', pieces=1), 1)
    assert 'Another script has given the final answer already' in run.lines[4]


async def test_a_step_later_it_may_be_given_anew() -> None:
    refusals = ['Not nuts.']

    def no_nuts(stock: Stock) -> Stock:
        if stock.product == 'nut':
            raise ModelRetry(refusals.pop())
        return stock

    script = Script([run_code("await final_result('nut', 1)"), run_code("await final_result('bolt', 2)")])
    desk = agent(script, Stock)
    desk.output_validator(no_nuts)
    result = await desk.run('go')
    assert (result.output, len(script.shown)) == (Stock(product='bolt', pieces=2), 2)
    assert answered(result.all_messages()) == snapshot(
        [
            ('run_code', 'The final answer was given.'),
            ('final_result', '{"error":"Not nuts."}'),
            ('run_code', 'The final answer was given.'),
            ('final_result', 'Final result processed.'),
        ]
    )


# -- what refuses it


async def test_what_an_output_function_refuses_goes_to_the_model_and_nothing_runs_twice() -> None:
    booked = list[str]()

    def book(product: str) -> str:
        """Book it."""
        booked.append(product)
        if product == 'nut':
            raise ModelRetry('No nuts.')
        return f'{product} booked'

    run = await done(book, run_code("await final_result('nut')"), run_code("await final_result('bolt')"))
    assert (run.output, run.asked, booked) == ('bolt booked', 2, ['nut', 'bolt'])
    assert run.script.answers == ['No nuts.']


async def test_what_a_validator_of_text_refuses_goes_to_the_model() -> None:
    seen = list[str]()
    script = Script([run_code("await final_text('nut')"), run_code("await final_text('bolt')")])
    desk = agent(script)

    @desk.output_validator
    def no_nuts(text: str) -> str:
        seen.append(text)
        if text == 'nut':
            raise ModelRetry('No nuts.')
        return text

    result = await desk.run('go')
    assert (result.output, seen, len(script.shown)) == ('bolt', ['nut', 'bolt'], 2)
    assert 'No nuts.' in str(result.all_messages()[4])


async def test_refusals_use_up_the_attempts_of_the_output() -> None:
    script = Script([run_code("await final_result('nut', 1)")] * 5)
    desk = agent(script, Stock, retries={'output': 2})

    @desk.output_validator
    def never(_stock: Stock) -> Stock:
        raise ModelRetry('No.')

    with pytest.raises(UnexpectedModelBehavior, match='maximum output retries'):
        await desk.run('go')
    assert len(script.shown) == 3


async def test_hooks_on_the_output_see_it() -> None:
    seen = list[Any]()

    class Watch(AbstractCapability[None]):
        async def after_output_validate(self, ctx: RunContext[None], *, output_context: Any, output: Any) -> Any:
            seen.append(output)
            return output

    await done(Stock, run_code("await final_result('nut', 1)"), capabilities=[Watch()])
    assert seen == [Stock(product='nut', pieces=1)]


# -- beside other calls


@pytest.mark.parametrize('end_strategy', ['early', 'exhaustive'])
async def test_tools_that_were_called_beside_the_script_run(end_strategy: Literal['early', 'exhaustive']) -> None:
    rung = list[int]()
    tools = shelf()

    @tools.tool_plain(allowed_callers='direct')
    def ring(number: int) -> str:
        rung.append(number)
        return 'rang'

    toolset = CodeModeToolset(tools)
    turn = [call('ring', number=1), run_code("await final_result('nut', 1)"), call('ring', number=2)]
    run = await done(Stock, turn, toolset=toolset, end_strategy=end_strategy)
    assert (run.output, run.asked, sorted(rung)) == (Stock(product='nut', pieces=1), 1, [1, 2])
    assert len(answered(run.messages)) == 4


@pytest.mark.parametrize('end_strategy', ['early', 'exhaustive'])
async def test_output_that_the_model_sends_beside_the_script_counts(
    end_strategy: Literal['early', 'exhaustive'],
) -> None:
    turn = [run_code("await final_result('nut', 1)"), call_final()]
    run = await done(Stock, turn, end_strategy=end_strategy)
    assert (run.output, run.asked) == (Stock(product='own', pieces=1), 1)
    answered(run.messages)


async def test_what_tools_hand_to_the_model_does_not_keep_the_run_going() -> None:
    tools = FunctionToolset[object]()

    @tools.tool_plain
    def photo() -> Any:
        return ToolReturn('a photo', content=['Here it is:', BinaryContent(b'png', media_type='image/png')])

    run = await done(str, run_code('await final_text(await photo())'), toolset=CodeModeToolset(tools))
    assert (run.output, run.asked) == ('a photo', 1)


async def test_a_message_that_comes_in_meanwhile_is_read_before_the_run_ends() -> None:
    tools = FunctionToolset[object]()

    @tools.tool
    def look(ctx: RunContext[object]) -> int:
        ctx.enqueue('Count the bolts, too!')
        return 1

    run = await done(
        str, run_code('await final_text(str(await look()))'), 'and two bolts', toolset=CodeModeToolset(tools)
    )
    assert (run.output, run.asked) == ('and two bolts', 2)
    assert 'UserPromptPart Count the bolts, too!' in run.lines


# -- every kind of run


async def test_streamed_text() -> None:
    script = Script([run_code("await final_text(f'{sum(await pieces())} pieces')")])
    async with agent(script).run_stream('go') as result:
        assert [text async for text in result.stream_text()][-1] == '42 pieces'
        assert await result.get_output() == '42 pieces'
    assert len(script.shown) == 1


async def test_streamed_output() -> None:
    script = Script([run_code("await final_result('nut', sum(await pieces()))")])
    async with agent(script, Stock).run_stream('go') as result:
        assert [stock async for stock in result.stream_output()][-1] == Stock(product='nut', pieces=42)
    answered(result.all_messages())
    assert len(script.shown) == 1


async def test_streamed_events() -> None:
    script = Script([run_code("await final_result('nut', sum(await pieces()))")])
    async with agent(script, Stock).run_stream_events('go') as events:
        kinds = [type(event).__name__ async for event in events]
    assert kinds[-1] == 'AgentRunResultEvent'
    assert 'FinalResultEvent' in kinds
    assert len(script.shown) == 1


async def test_step_by_step() -> None:
    script = Script([run_code("await final_result('nut', sum(await pieces()))")])
    async with agent(script, Stock).iter('go') as run:
        nodes = [type(node).__name__ async for node in run]
    assert run.result is not None
    assert run.result.output == Stock(product='nut', pieces=42)
    assert nodes == snapshot(
        ['UserPromptNode', 'ModelRequestNode', 'CallToolsNode', 'ModelRequestNode', 'CallToolsNode', 'End']
    )


async def test_the_request_that_is_not_made_counts_as_one() -> None:
    code = run_code("await final_result('nut', 1)")
    with pytest.raises(UsageLimitExceeded):
        await agent(Script([code]), Stock).run('go', usage_limits=UsageLimits(request_limit=1))
    result = await agent(Script([code]), Stock).run('go', usage_limits=UsageLimits(request_limit=2))
    assert (result.usage.requests, result.usage.tool_calls) == (2, 1)


async def test_it_counts_as_no_tool_call() -> None:
    limits = UsageLimits(tool_calls_limit=2)
    code = run_code("await final_result('nut', sum(await pieces()))")
    result = await agent(Script([code]), Stock).run('go', usage_limits=limits)
    assert result.usage.tool_calls == 2


async def test_no_trace_tells_of_a_request_that_was_not_made() -> None:
    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    desk = agent(Script([run_code("await final_result('nut', 1)")]), Stock)
    desk.instrument = InstrumentationSettings(tracer_provider=provider)
    await desk.run('go')
    kinds = [span.name.partition(' ')[0] for span in spans.get_finished_spans()]
    assert [kind for kind in kinds if kind in ('chat', 'invoke_agent')] == ['chat', 'invoke_agent']


# -- every kind of code mode


async def test_with_the_capability() -> None:
    script = Script([run_code("await final_result('nut', await count())")])
    desk = Agent(script.model, output_type=Stock, capabilities=[CodeMode[object](), CodeOutput[object]()])

    @desk.tool_plain
    def count() -> int:
        return 3

    assert (await desk.run('go')).output == Stock(product='nut', pieces=3)
    assert len(script.shown) == 1


async def test_with_our_agent() -> None:
    script = Script([run_code("await final_result('nut', await count())")])
    desk: OurAgent[object, Stock] = OurAgent(script.model, output_type=Stock, capabilities=[CodeOutput[object]()])

    @desk.tool_plain(allowed_callers='code')
    def count() -> int:
        return 3

    assert (await desk.run('go')).output == Stock(product='nut', pieces=3)
    assert len(script.shown) == 1


async def test_written_in_a_spec() -> None:
    spec: dict[str, Any] = {'capabilities': ['CodeMode', 'CodeOutput']}
    script = Script([run_code("await final_text(f'{await count()} nuts')")])
    desk = Agent.from_spec(spec, custom_capability_types=[CodeMode, CodeOutput], model=script.model)

    @desk.tool_plain
    def count() -> int:
        return 3

    assert (await desk.run('go')).output == '3 nuts'
    assert len(script.shown) == 1


async def test_two_of_the_capability_are_one() -> None:
    run = await done(Stock, run_code("await final_result('nut', 1)"), capabilities=[CodeOutput()])
    assert (run.output, run.asked, run.requests) == (Stock(product='nut', pieces=1), 1, 2)
    assert run.prompt.count('async def final_result(') == 1


async def test_under_another_name() -> None:
    script = Script([call('hq_run_code', code="await final_result('nut', 1)")])
    desk = agent(script, Stock, toolset=CodeModeToolset(shelf()).prefixed('hq'))
    assert (await desk.run('go')).output == Stock(product='nut', pieces=1)
    assert '`await final_result(...)`' in (script.shown[0]['hq_run_code'].description or '')


@pytest.mark.parametrize('settings', [{'catalog': 'append'}, {'catalog_tokens': 1}])
async def test_the_functions_are_always_on_show(settings: dict[str, Any]) -> None:
    toolset = CodeModeToolset(shelf(), **settings)
    run = await done(Stock, run_code("await final_result('nut', 1)"), toolset=toolset)
    assert run.output == Stock(product='nut', pieces=1)
    assert 'async def final_result(product: str, pieces: int) -> None:' in run.prompt


async def test_a_direct_call_of_it_is_answered_with_the_code_to_send() -> None:
    run = await done(str, call('final_text', text='42'), run_code("await final_text(text='42')"), retries=2)
    assert (run.output, run.asked) == ('42', 2)
    assert run.script.answers[0] == snapshot("""\
final_text is called from code. Call run_code with this code, or use it in a longer script:

await final_text(text='42')\
""")


async def test_an_output_tool_that_runs_by_itself_is_awaited_like_the_others() -> None:
    run = await done(ToolOutput(Stock, sequential=True), run_code("await final_result('nut', 1)"))
    assert run.output == Stock(product='nut', pieces=1)
    assert 'async def final_result(' in run.prompt


# -- names


def named(name: str) -> FunctionToolset[object]:
    tools = FunctionToolset[object]()
    tools.add_function(lambda: 1, name=name)
    return tools


@pytest.mark.parametrize(('name', 'output_type'), [('final_text', str), ('final_result', Stock)])
async def test_a_tool_of_the_same_name_is_an_error(name: str, output_type: Any) -> None:
    with pytest.raises(UserError) as caught:
        await done(output_type, toolset=CodeModeToolset(named(name)))
    assert str(caught.value).startswith(f"There is a tool '{name}', and with CodeOutput that is the function")


async def test_without_it_a_tool_in_code_may_be_called_as_the_output_tool() -> None:
    script = Script([run_code('await final_result()'), call_final()])
    desk = Agent(script.model, output_type=Stock, toolsets=[CodeModeToolset(named('final_result'))])
    assert (await desk.run('go')).output == Stock(product='own', pieces=1)
    assert script.answers == [1]


async def test_a_direct_tool_of_the_same_name_is_an_error() -> None:
    both = CombinedToolset([named('final_text').with_metadata(allowed_callers='direct'), shelf()])
    with pytest.raises(UserError, match='rename the tool'):
        await done(str, toolset=CodeModeToolset(both))


async def test_an_output_tool_of_the_same_name_is_an_error() -> None:
    with pytest.raises(UserError, match="There is a tool 'final_text'"):
        await done([ToolOutput(Stock, name='final_text'), str])


async def test_functions_that_the_output_has_no_use_for_clash_with_nothing() -> None:
    run = await done(
        str, run_code('await final_text(str(await final_result()))'), toolset=CodeModeToolset(named('final_result'))
    )
    assert run.output == '1'
