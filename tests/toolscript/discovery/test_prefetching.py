"""Tools that match the user's prompt are shown before the model asks."""

import re
from typing import Any, Literal

import pytest
from pydantic_ai import Agent, BinaryContent, ModelMessage, ModelMessagesTypeAdapter
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import (
    CompactionPart,
    ModelRequest,
    ModelResponse,
    TextContent,
    TextPart,
    ToolReturn,
    UserPromptPart,
)
from pydantic_ai.tools import DeferredToolRequests

from tests.toolscript.office import office
from tests.toolscript.scripted import Script, call, play, run_code, search
from toolscript import CodeModeToolset, DeferredToolsReminder, FunctionToolset, SearchableToolset, ToolSearchOptions
from toolscript.testing import RecordingModel, prefix_changes

pytestmark = pytest.mark.pydantic_ai

PRELOAD = ToolSearchOptions(prefetch=8)
SEARCH = 'pai_tool_search_tool'


def direct(options: ToolSearchOptions = PRELOAD) -> SearchableToolset[object]:
    return SearchableToolset(office(), options)


def functions(script: Script) -> list[list[str]]:
    """Return the functions in `run_code`'s description, request by request."""
    texts = [shown['run_code'].description or '' for shown in script.shown]
    return [
        [line.split('(')[0].removeprefix('async def ') for line in text.splitlines() if line.startswith('async def ')]
        for text in texts
    ]


async def shown_for(prompt: Any, options: ToolSearchOptions = PRELOAD, **arguments: Any) -> list[str]:
    """Return the tools in the first request of a run, beside the search."""
    script = await play(direct(options), prompt=prompt, **arguments)
    return [name for name in script.shown[0] if name not in ('now', SEARCH)]


async def test_a_tool_that_the_prompt_finds_needs_no_search() -> None:
    script = await play(direct(), call('send_mail', to='Ada', text='hi'), prompt='Please send Ada a mail.')
    assert [list(shown) for shown in script.shown] == [['now', SEARCH, 'send_mail']] * 2
    assert script.answers == ['to Ada: hi']


async def test_prompts_of_one_user_do_not_affect_another() -> None:
    script = Script([])
    agent = Agent(script.model, toolsets=[direct()])
    await agent.run('Send Ada a mail.')
    await agent.run('Refund the payment.')
    assert [list(shown)[2:] for shown in script.shown] == [['send_mail'], ['refund_payment']]


async def test_prefetching_is_off_by_default_for_directly_callable_tools() -> None:
    assert await shown_for('Send Ada a mail.', ToolSearchOptions()) == []
    script = Script([])
    both = CodeModeToolset(direct(ToolSearchOptions()), default_callers='both')
    await Agent(script.model, toolsets=[both]).run('Send Ada a mail.')
    assert functions(script) == [['now']]


async def test_prefetching_is_on_by_default_for_code_only_tools() -> None:
    for options, shown in ((ToolSearchOptions(), ['now', 'send_mail']), (ToolSearchOptions(prefetch=0), ['now'])):
        script = await play(CodeModeToolset(direct(options)), prompt='Send Ada a mail.')
        assert functions(script) == [shown]


async def test_code_mode_takes_over_the_prefetching_of_its_wrapped_search() -> None:
    script = Script([])
    known = FunctionToolset[object]()
    known.add_function(len, name='size')
    beside = SearchableToolset(office().with_metadata(allowed_callers='code'), PRELOAD)
    await Agent(script.model, toolsets=[CodeModeToolset(known), beside]).run('Send Ada a mail.')
    assert functions(script) == [['size', 'now', 'send_mail']]


async def test_with_append_an_instruction_shows_found_tools_and_the_description_is_constant() -> None:
    script = Script([search('refund')])
    agent = Agent(script.model, toolsets=[CodeModeToolset(direct(), catalog='append')])
    result = await agent.run('Send Ada a mail.')
    assert functions(script) == [['now']] * 2
    request = result.all_messages()[0]
    assert isinstance(request, ModelRequest)
    assert 'async def send_mail(' in (request.instructions or '')


@pytest.mark.parametrize('catalog', ['description', 'append'])
@pytest.mark.parametrize('code', [True, False])
async def test_no_byte_changes_from_step_to_step(catalog: Literal['description', 'append'], code: bool) -> None:
    toolset = CodeModeToolset(direct(), catalog=catalog) if code else direct()
    turns = [run_code("await send_mail('Ada', 'hi')")] * 3 if code else [call('send_mail', to='A', text='b')] * 3
    recorded = RecordingModel(Script([*turns]).model)
    await Agent(recorded, toolsets=[toolset]).run('Send Ada a mail. Then refund the payment P1.')
    assert len(recorded.requests) == 4
    assert prefix_changes(recorded.requests) == []


async def test_each_prompt_of_a_conversation_appends_its_tools() -> None:
    script = Script(['done', search('invoice'), 'done', 'done'])
    agent = Agent(script.model, toolsets=[direct()])
    history: list[ModelMessage] = []
    for prompt in ('Refund the payment.', 'Any news?', 'Send Ada a mail.'):
        history = (await agent.run(prompt, message_history=history)).all_messages()
        history = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(history))
    assert [list(shown)[2:] for shown in script.shown] == [
        ['refund_payment'],
        ['refund_payment'],
        ['refund_payment', 'create_invoice'],
        ['refund_payment', 'create_invoice', 'send_mail'],
    ]


@pytest.mark.parametrize('prompt', ['Hi', 'Thanks!', 'Is Zaphod there?', '', '+', 'select:', '/('])
async def test_prompts_without_a_request_show_no_tools(prompt: str) -> None:
    assert await shown_for(prompt) == []


@pytest.mark.parametrize(
    'prompt',
    ['select: which mail do I send?', '-mail -refund', '+zebra mail', '/^(?!x)/ mail', 'name:mail', '"mail" x'],
)
async def test_prompts_have_no_search_operators(prompt: str) -> None:
    assert 'send_mail' in await shown_for(prompt)


async def test_only_the_text_of_a_prompt_counts() -> None:
    picture = BinaryContent(b'mail', media_type='image/png')
    assert await shown_for([picture]) == []
    assert await shown_for([picture, TextContent('Send Ada a mail.', metadata='refund payment')]) == ['send_mail']


@pytest.mark.parametrize('place', ['before', 'behind'])
async def test_the_words_around_a_pasted_document_count(place: str) -> None:
    document = 'The payment of the invoice was late again. ' * 50_000
    asks = 'Send this to Ada by mail.'
    found = await shown_for(f'{asks}\n\n{document}' if place == 'before' else f'{document}\n\n{asks}')
    assert 'send_mail' in found


async def test_at_most_the_given_number_of_tools_is_shown() -> None:
    many = FunctionToolset[object]()
    for number in range(50):
        many.add_function(lambda: 1, name=f'send_mail_{number}', description='Send mail.', defer_loading=True)
    toolset = SearchableToolset(many, ToolSearchOptions(prefetch=3))
    names = ' '.join(f'send_mail_{number}' for number in range(20))
    script = await play(toolset, prompt=f'Send mail with {names}.')
    assert len(script.shown[0]) == 1 + 3


async def test_prefetched_signatures_have_a_total_budget() -> None:
    prompt = 'Mail, refund payment, bill the customer'
    assert await shown_for(prompt, ToolSearchOptions(prefetch=8, prefetch_tokens=1)) == []
    some = await shown_for(prompt, ToolSearchOptions(prefetch=8, prefetch_tokens=90))
    every = await shown_for(prompt)
    assert 0 < len(some) < len(every) == 3


async def test_a_tool_that_exceeds_the_budget_is_skipped() -> None:
    toolset = office()
    toolset.add_function(lambda: 1, name='send_mail_to_all', description='Send mail. ' * 5_000, defer_loading=True)
    script = await play(SearchableToolset(toolset, PRELOAD), prompt='Send mail to all.')
    assert [name for name in script.shown[0] if 'mail' in name] == ['send_mail']


async def test_a_prefetched_tool_is_no_longer_deferred_for_anyone() -> None:
    script = Script([search('mail'), run_code("await search_tools('mail')")])
    result = await Agent(script.model, toolsets=[CodeModeToolset(direct())]).run('Send Ada a mail.')
    assert functions(script) == [['now', 'send_mail']] * 3
    assert script.answers == [
        {'message': 'Found 1 of 3 deferred tools.', 'tools': [{'name': 'send_mail'}]},
        [{'name': 'send_mail', 'description': 'Send an e-mail message.'}],
    ]
    assert len(result.all_messages()) == 6


async def test_text_of_tools_beside_their_results_is_not_a_prompt() -> None:
    toolset = office()

    @toolset.tool_plain
    def read_page() -> ToolReturn:
        return ToolReturn('read', content='Refund the payment.')

    script = Script([call('read_page')])
    result = await Agent(script.model, toolsets=[SearchableToolset(toolset, PRELOAD)]).run('Send Ada a mail.')
    again = Script([])
    agent = Agent(again.model, toolsets=[SearchableToolset(toolset, PRELOAD)])
    await agent.run('And?', message_history=result.all_messages())
    assert [list(shown)[3:] for shown in (*script.shown, *again.shown)] == [['send_mail']] * 3


async def test_the_reminder_of_deferred_tools_is_not_a_prompt() -> None:
    script = await play(direct(), call('now'), prompt='Send Ada a mail.', capabilities=[DeferredToolsReminder()])
    assert [list(shown)[2:] for shown in script.shown] == [['send_mail']] * 2


async def test_a_history_processor_that_drops_the_prompt_keeps_the_tools_of_its_run() -> None:
    def last(messages: list[ModelMessage]) -> list[ModelMessage]:
        return messages[-2:] if len(messages) > 2 else messages

    script = Script([call('now')] * 3)
    await Agent(script.model, toolsets=[direct()], capabilities=[ProcessHistory(last)]).run('Send Ada a mail.')
    assert [list(shown)[2:] for shown in script.shown] == [['send_mail']] * 4


async def test_prompts_before_a_compaction_are_forgotten() -> None:
    history: list[ModelMessage] = [
        ModelRequest([UserPromptPart('Refund the payment.')]),
        ModelResponse([CompactionPart('Nothing.', provider_name='function'), TextPart('done')]),
    ]
    assert await shown_for('Send Ada a mail.', message_history=history) == ['send_mail']
    assert await shown_for('Send Ada a mail.', message_history=history[:1]) == ['refund_payment', 'send_mail']


async def test_a_run_that_continues_after_an_approval_shows_the_same_tools() -> None:
    toolset = office()
    toolset.add_function(lambda: 'ok', takes_ctx=False, name='ask', requires_approval=True)
    script = Script([call('ask'), call('now')])
    agent = Agent(script.model, toolsets=[SearchableToolset(toolset, PRELOAD)], output_type=[str, DeferredToolRequests])
    paused = await agent.run('Send Ada a mail.')
    assert isinstance(paused.output, DeferredToolRequests)
    approvals, history = paused.output.build_results(approve_all=True), paused.all_messages()
    script.turns[:] = []
    await agent.run(message_history=history, deferred_tool_results=approvals)
    await agent.run('Refund the payment.', message_history=history, deferred_tool_results=approvals)
    assert [list(shown)[3:] for shown in script.shown] == [
        ['send_mail'],
        ['send_mail'],
        ['send_mail', 'refund_payment'],
    ]


@pytest.mark.parametrize('algorithm', ['ranked', 'bm25', 'keywords', 'regex'])
async def test_prefetching_works_with_every_algorithm(algorithm: Any) -> None:
    assert await shown_for('(Send Ada a mail.', ToolSearchOptions(algorithm, prefetch=8)) == ['send_mail']


# -- the default number of shown tools, and the default length of a result


def one() -> int:
    return 1


def reports() -> FunctionToolset[object]:
    """Twenty deferred tools that match the same words."""
    toolset = FunctionToolset[object](defer_loading=True, allowed_callers='code')
    for number in range(20):
        toolset.add_function(one, takes_ctx=False, name=f'sales_report_{number}', description='Sales report.')
    return toolset


async def test_a_prompt_shows_at_most_eight_functions() -> None:
    script = await play(CodeModeToolset(SearchableToolset(reports())), prompt='Make a sales report.')
    assert len(functions(script)[0]) == 8


async def test_a_result_longer_than_the_limit_is_truncated() -> None:
    toolset = CodeModeToolset(FunctionToolset[object]([one]), max_result_chars=1_000)
    script = await play(toolset, run_code("'x' * 1000"), run_code("'x' * 1001"))
    assert script.answers[0] == 'x' * 1_000
    assert len(script.answers[1]) <= 1_000
    assert 'x' * 1_000 not in script.answers[1]


async def test_a_prompt_with_two_requests_shows_tools_for_each() -> None:
    tools = reports()
    for number in range(9):
        tools.add_function(one, takes_ctx=False, name=f'send_mail_{number}', description='Send a mail.')
    script = await play(
        CodeModeToolset(SearchableToolset(tools)),
        run_code("await search_tools('Make a sales report. Send a mail.')"),
        prompt='Hello.',
    )
    shown = re.findall(r'def ([a-z]+)_\w+', script.shown[-1]['run_code'].description or '')
    assert len(shown) == 10
    assert {'sales', 'send'} <= set(shown)
