"""Where arguments come from, as applications see it: in events, traces, `toolscript show` and its page."""

from collections.abc import AsyncIterable

import pytest
from pydantic_ai import RunContext
from pydantic_ai.messages import AgentStreamEvent

from tests.toolscript.observability.spans import Spans
from toolscript import FlowRule, Flows, ScriptResultEvent
from toolscript.history import render_html, render_text

from .test_rules import Desk

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]

_CODE = "page = await fetch_page('https://x')\nwho = await contact(name=page)\nawait send(to='bob', body=who)\n1"


async def test_events_say_where_arguments_come_from() -> None:
    seen = dict[str, dict[str, list[str]]]()

    async def note(ctx: RunContext[object], stream: AsyncIterable[AgentStreamEvent]) -> None:
        async for event in stream:
            if isinstance(event, ScriptResultEvent):
                seen[event.tool_name or ''] = event.origins

    await Desk(_CODE).agent.run('go', event_stream_handler=note)
    assert seen == {
        'fetch_page': {},
        'contact': {'name': ["fetch_page('https://x') in line 1"]},
        'send': {'body': ["fetch_page('https://x') in line 1", 'contact(name=page) in line 2']},
    }


@pytest.mark.parametrize('include_content', [True, False])
async def test_spans_of_calls_say_it_where_they_have_content(include_content: bool) -> None:
    spans = Spans()
    await Desk(_CODE).agent.run('go', capabilities=[spans.instrumentation(include_content=include_content)])
    origins = {'toolscript.origins': ("name: fetch_page('https://x') in line 1",)}
    assert spans.attributes('execute_tool contact', 'toolscript.origins') == [origins if include_content else {}]
    # The rule asked before the tool was called.
    assert [bool(one) for one in spans.attributes('defer_tool send', 'toolscript.origins')] == [include_content]


async def test_show_and_its_page_say_it() -> None:
    desk = Desk(_CODE, flows=Flows(rules=[FlowRule(then='allow')]))
    messages = (await desk.agent.run('go')).all_messages()
    assert "      name comes from fetch_page('https://x') in line 1\n" in render_text(messages)
    page = render_html(messages)
    figure = page[page.index('<svg class="flow"') : page.index('</svg>')]
    assert figure.count('<rect') == 3
    assert [figure.count(f'>{name}</text>') for name in ('name', 'body', 'to')] == [1, 2, 0]
    assert 'line 2: contact(name=' in figure


async def test_the_page_draws_what_comes_from_earlier_scripts_and_escapes_it() -> None:
    desk = Desk("page = await fetch_page('<b>')\n1", 'await contact(name=page)\n1')
    page = render_html((await desk.agent.run('go')).all_messages())
    figure = page[page.index('<svg class="flow"') : page.index('</svg>')]
    assert '<b>' not in figure
    assert 'fetch_page(&#x27;&lt;b&gt;&#x27;) in line 1 of an earlier script' in figure


async def test_without_flows_the_page_draws_nothing() -> None:
    desk = Desk("page = await fetch_page('https://x')\nawait contact(name='bob')\n1")
    assert '<svg' not in render_html((await desk.agent.run('go')).all_messages())
