"""A run as text shows what the model read, what it wrote, and the results."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot
from pydantic_ai import Agent, ModelMessagesTypeAdapter, ModelRequest, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.messages import (
    BinaryContent,
    ImageUrl,
    ModelMessage,
    NativeToolCallPart,
    NativeToolReturnPart,
    SystemPromptPart,
    ThinkingPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.tools import ToolApproved
from pydantic_ai.usage import RequestUsage

from tests.toolscript.approvals.conversation import conversation
from tests.toolscript.history.shop import plain, run, shop
from tests.toolscript.scripted import Script, call, run_code, search
from toolscript import CodeModeToolset, SearchableToolset
from toolscript.history import Bounds, RecordTools, render_html, render_text, transcript_of
from toolscript.history.as_text import columns
from toolscript.testing import RecordingModel


async def test_a_script_is_shown_with_its_calls_prints_and_result() -> None:
    failing = "await price('tea')\n1 / 0"
    code = """\
print('looking')
many = await rows(200)
try:
    await price('moon')
except Exception:
    print('no moon')
await price('tea'), many[-1]"""
    messages = await run(run_code(failing), run_code("await price('tea')"), run_code(code), instructions='Be brief.')
    assert plain(render_text(messages)) == snapshot("""\
4 requests · TOKENS

── request 1 · TIME ─
instructions: Be brief.
user: What does tea cost?
[function:_play: · TOKENS · SECONDS]
writes run_code
  1 | await price('tea')
  2 | 1 / 0
  line 1: price(article='tea') → 3  (SECONDS)
  asked to try again
    line 2: 1 / 0
            ^^^^^
    ZeroDivisionError: division by zero. Test the divisor first.
    Calls: price finished.

    In your next script, the same calls to price return their recorded results
    and do not run again.

── request 2 · TIME ─
[function:_play: · TOKENS · SECONDS]
writes run_code
  1 | await price('tea')
  line 1: price(article='tea') → 3  (SECONDS, reused)
  result: 3

── request 3 · TIME ─
[function:_play: · TOKENS · SECONDS]
writes run_code
  1 | print('looking')
  2 | many = await rows(200)
  3 | try:
  4 |     await price('moon')
  5 | except Exception:
  6 |     print('no moon')
  7 | await price('tea'), many[-1]
  line 2: rows(n=200) → list[200] of {id: int, square: int}  (SECONDS)
  line 4: price(article='moon') failed: RuntimeError: not for sale  (SECONDS)
  line 7: price(article='tea') → 3  (SECONDS)
  stdout
    looking
    no moon
  result: [3,{"id":199,"square":39601}]

── request 4 · TIME ─
[function:_play: · TOKENS · SECONDS]
model: done
""")


async def test_scripts_with_the_same_id_are_shown_with_their_own_calls() -> None:
    failing = ["await price('tea')\n1 / 0", "await price('moon')\n1 / 0"]
    codes = [*failing, "await price('tea')", "await price('moon')", "await price('tea')\n2"]
    scripts = [replace(run_code(code), tool_call_id='call_0') for code in codes]
    agent = Agent(
        Script([*scripts[:3], 'done', *scripts[3:]]).model, deps_type=object, toolsets=[CodeModeToolset(shop)]
    )
    first = await agent.run('go')
    both = await agent.run('again', message_history=first.all_messages())
    blocks = [block for turn in transcript_of(both.all_messages()).turns for block in turn.response]
    shown = [[call.code for call in block.calls] for block in blocks if block.code is not None]
    tea, moon = "price(article='tea')", "price(article='moon')"
    assert shown == [[tea], [moon], [tea], [moon], [tea]]


async def test_a_search_shows_its_results_and_a_direct_call_its_result() -> None:
    reported = plain(render_text(await run(search('guarantee'), call('look', at='door'))))
    assert reported[reported.index('calls pai') : reported.index('── request 3')] == snapshot("""\
calls pai_tool_search_tool: {"query":"guarantee"}
  result
    {"message":"Found 1 of 1 deferred tools.","tools":[{"name":"warranty"}]}
  found: warranty

── request 2 · TIME ─
note: may be called from here on: warranty
[function:_play: · TOKENS · SECONDS]
calls look: {"at":"door"}
  result: [image/png, 1,234 bytes]

""")


async def test_waiting_and_resumed_scripts_are_marked() -> None:
    talk = conversation(shop, run_code("await price('tea')\nawait buy('tea')"), 'Bought.')
    await talk.start()
    waiting = plain(render_text(talk.history))
    assert waiting.endswith("  2 | await buy('tea')\n  paused, and waits\n")
    await talk.decide(buy=True)
    assert plain(render_text(talk.history)).partition("  2 | await buy('tea')\n")[2] == snapshot("""\
  line 1: price(article='tea') → 3  (SECONDS)
  line 2: buy(article='tea') → 'tea bought'  (SECONDS, approved)
  paused, and resumed in a later run
  result: tea bought

── run 2, request 2 · TIME ─
[function:_play: · TOKENS · SECONDS]
model: Bought.
""")


async def test_decisions_are_shown_with_their_calls() -> None:
    code = """\
for article in ('tea', 'cake', 'moon'):
    try:
        await buy(article)
    except PermissionError:
        print('no', article)"""
    talk = conversation(shop, run_code(code))
    await talk.start()
    for decision in (True, ToolApproved(override_args={'article': 'bread'}), False):
        await talk.decide_each([decision])
    reported = plain(render_text(talk.history, width=200)).splitlines()
    assert [line for line in reported if 'buy(article=' in line] == [
        "  line 3: buy(article='tea') → 'tea bought'  (SECONDS, approved)",
        "  line 3: buy(article='bread') → 'bread bought'  (SECONDS, approved with these other arguments)",
        "  line 3: buy(article='moon') failed: PermissionError: buy was not approved: The tool call was denied.  (SECONDS, denied)",
    ]


def test_a_history_without_code_mode_is_shown_too() -> None:
    assert render_text(MIXED) == snapshot("""\
2 requests · 1,200 tokens in (1,024 cached) · 60 out

── request 1 ───────────────────────────────────────────────────────────────────
system: You draw.
user
  Draw this:
  [image/png, 4 bytes]
  [image-url https://example.com/cat.png]
[claude-sonnet-5 · 1,200 tokens in (1,024 cached) · 60 out]
thinking: Hm.
thinking: (only the provider can read it)
calls web_search, run by the provider: {"query":"cats"}
  result: [{"title":"Cats"}]
model: Let me see.
calls draw: {"what":"cat"}
  result
    drawn
    [image/png, 5 bytes]
calls erase: {"what":
  denied: no

── request 2 ───────────────────────────────────────────────────────────────────
other, whose call is not in this history
  result: an answer to what nobody asked
[no response in this history]
""")


def test_an_empty_history_is_not_an_error() -> None:
    assert render_text([]) == render_text(b'[]') == '0 requests\n'


async def test_a_history_from_disk_reads_as_in_memory() -> None:
    messages = [*await run(run_code("print('x')\nawait price('tea')"), search('guarantee')), *MIXED]
    dumped = ModelMessagesTypeAdapter.dump_json(messages)
    assert render_text(dumped) == render_text(dumped.decode()) == render_text(messages)
    assert render_html(dumped) == render_html(messages)


@pytest.mark.parametrize('stored', [b'{"messages": []}', b'nonsense', b'[{"kind": "request"}]', ''])
def test_a_value_that_is_not_a_history_is_refused_with_advice(stored: bytes | str) -> None:
    with pytest.raises(
        ValueError, match=r'^This is not a message history: .*Use the JSON of `result.all_messages_json'
    ):
        render_text(stored)


MIXED: list[ModelMessage] = [
    ModelRequest(
        [
            SystemPromptPart('You draw.'),
            UserPromptPart(
                ['Draw this:', BinaryContent(b'1234', media_type='image/png'), ImageUrl('https://example.com/cat.png')]
            ),
        ]
    ),
    ModelResponse(
        [
            ThinkingPart('Hm.'),
            ThinkingPart('', signature='abc', provider_name='anthropic'),
            NativeToolCallPart('web_search', {'query': 'cats'}, 'n1', provider_name='anthropic'),
            NativeToolReturnPart('web_search', [{'title': 'Cats'}], 'n1', provider_name='anthropic'),
            TextPart('Let me see.'),
            ToolCallPart('draw', {'what': 'cat'}, 'c1'),
            ToolCallPart('erase', '{"what": ', 'c2'),
        ],
        usage=RequestUsage(input_tokens=1200, cache_read_tokens=1024, output_tokens=60),
        model_name='claude-sonnet-5',
    ),
    ModelRequest(
        [
            ToolReturnPart('draw', ['drawn', BinaryContent(b'12345', media_type='image/png')], 'c1'),
            ToolReturnPart('erase', 'no', 'c2', outcome='denied'),
            ToolReturnPart('other', 'an answer to what nobody asked', 'c3'),
        ]
    ),
]


# -- whatever a history contains, its text is readable


def talk(*parts: str) -> list[ModelMessage]:
    """A conversation in which the model repeats the user's messages."""
    return [
        message
        for text in parts
        for message in (ModelRequest([UserPromptPart(text)]), ModelResponse([TextPart(text)], model_name='m'))
    ]


def test_fifty_megabytes_become_a_page_that_a_browser_opens() -> None:
    messages = talk(*[f'{number} {"x" * 10_000}' for number in range(2_500)])
    text, html = render_text(messages), render_html(messages)
    assert len(text) < 3_000_000
    assert len(html) < 3_000_000
    for reported in (text, html):
        assert '2,100 requests are left out here' in reported
        assert 'more characters' in reported
    assert ('user: 0 x' in text, 'request 1 ' in text, 'request 2500' in text) == (False, True, True)


def test_of_ten_thousand_calls_of_a_script_two_hundred_are_shown() -> None:
    calls = [
        {'tool_call_id': f'c__{number}', 'tool_name': 'f', 'function': 'f', 'status': 'finished', 'result': number}
        for number in range(10_000)
    ]
    messages: list[ModelMessage] = [
        ModelResponse([ToolCallPart('run_code', {'code': 'x'}, 'c')]),
        ModelRequest([ToolReturnPart('run_code', 1, 'c', metadata={'tool_calls': calls})]),
    ]
    text = render_text(messages)
    assert 'f() → 199\n  … 9,800 more calls\n' in text
    assert 'f() → 200' not in text
    assert '9,800 more calls' in render_html(messages)


def test_a_reader_may_ask_for_tighter_bounds() -> None:
    reported = transcript_of(talk('x' * 100), bounds=Bounds(chars=10))
    assert 'user: xxxxxxxxxx … 90 more characters\n' in render_text(reported)
    reported = transcript_of(talk(*'0123456789'), bounds=Bounds(requests=4))
    assert [turn.number for turn in reported.turns] == [1, 8, 9, 10]


def test_values_without_a_text_do_not_stop_the_rendering() -> None:
    endless: list[object] = []
    endless.append(endless)
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    messages: list[ModelMessage] = [
        ModelResponse([ToolCallPart('f', {}, 'a'), ToolCallPart('f', {}, 'b'), ToolCallPart('f', {}, 'c')]),
        ModelRequest(
            [ToolReturnPart('f', endless, 'a'), ToolReturnPart('f', deep, 'b'), ToolReturnPart('f', 10**5_000, 'c')]
        ),
    ]
    assert render_text(messages).count('result') == 3


TEXTS = st.text(st.characters(), max_size=200) | st.text('ab ,\n\t\r\x1b\u202e買\u0301', max_size=200)


@settings(deadline=None)
@given(TEXTS, st.integers(0, 120))
def test_no_line_is_wider_than_the_terminal(text: str, width: int) -> None:
    messages: list[ModelMessage] = [
        *talk(text),
        ModelResponse([ToolCallPart('run_code', {'code': text}, 'c'), ToolCallPart('f', {'text': text}, 'd')]),
        ModelRequest([ToolReturnPart('run_code', text, 'c'), ToolReturnPart('f', [text], 'd')]),
    ]
    lines = render_text(messages, width=width).split('\n')
    assert max(map(columns, lines)) <= max(width, 20)
    assert all(line.isprintable() or not line.isascii() for line in lines)


@settings(deadline=None)
@given(TEXTS)
def test_no_text_can_imitate_a_heading(text: str) -> None:
    """Return the beginnings of lines, which are ours: foreign text is indented or follows a label."""
    ours = ('── ', '[', 'user', 'model', '1 request', '')
    lines = render_text(talk(f'a\n{text}\n── request 2 ──')).split('\n')
    assert [line for line in lines if not line.startswith((' ', *ours[:-1])) and line] == []
    assert sum(line.startswith('── request') for line in lines) == 1


# -- the tools that a model was shown are in the history, on request


def tools_recorded(messages: list[ModelMessage]) -> list[str]:
    """Return the lines of a run about requests and tools."""
    return re.findall(r'^(?:── .*?request \d+|tool .*|  [+] .*|  - # .*)', render_text(messages), re.MULTILINE)


async def test_tools_are_recorded_once_and_then_only_changes() -> None:
    messages = await run(search('guarantee'), run_code("await price('tea')"), capabilities=[RecordTools()])
    assert tools_recorded(messages) == [
        '── request 1',
        'tool look',
        'tool pai_tool_search_tool',
        'tool run_code',
        '── request 2',
        'tool run_code, changed',
        '  - # 3 of 4 functions; search for the rest',
        '  + async def warranty(article: str) -> str:',
        '  +  """For how long there is a guarantee."""',
        '── request 3',
    ]


async def test_a_recording_continues_where_a_history_from_disk_ended() -> None:
    async def more(history: list[ModelMessage] | None) -> list[ModelMessage]:
        agent = Agent(
            Script(['well']).model,
            deps_type=object,
            toolsets=[CodeModeToolset(SearchableToolset(shop))],
            capabilities=[RecordTools()],
        )
        return (await agent.run('go', message_history=history)).all_messages()

    first = ModelMessagesTypeAdapter.dump_json(await more(None))
    second = await more(ModelMessagesTypeAdapter.validate_json(first))
    reported = tools_recorded(second)
    assert len([line for line in reported if 'tool ' in line]) == 3
    assert reported[-1] == '── run 2, request 2'


@pytest.mark.pydantic_ai
async def test_the_recorded_tools_are_invisible_to_the_model() -> None:
    async def sent(*capabilities: RecordTools[object]) -> list[object]:
        model = RecordingModel(Script([search('guarantee'), run_code("await price('tea')")]).model)
        toolset = CodeModeToolset(SearchableToolset(shop))
        await Agent(model, deps_type=object, toolsets=[toolset], capabilities=capabilities).run('go')
        return [[request.tools, request.system, len(request.messages)] for request in model.requests]

    assert await sent(RecordTools()) == await sent()


def test_files_within_values_are_shown_by_their_size() -> None:
    picture = BinaryContent(b'12345', media_type='image/png')
    part = ToolReturnPart('draw', {'pictures': [picture, {'best': [picture]}]}, 'c1')
    text = render_text([ModelResponse([ToolCallPart('draw', {}, 'c1')]), ModelRequest([part])])
    assert '{"pictures":["[image/png, 5 bytes]",{"best":["[image/png, 5 bytes]"]}]}' in text
