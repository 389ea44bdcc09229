"""However much a history holds, and whatever is in it, a reader gets something that can be read."""

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_ai import ModelRequest, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.messages import ModelMessage, ToolReturnPart, UserPromptPart

from toolscript.history import Bounds, render_html, render_text, transcript_of
from toolscript.history.as_text import columns


def talk(*parts: str) -> list[ModelMessage]:
    """A conversation in which the user says these things, and the model answers with the same."""
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


def test_of_one_script_that_calls_ten_thousand_times_two_hundred_calls_are_shown() -> None:
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


def test_bounds_are_for_who_asks_for_less() -> None:
    reported = transcript_of(talk('x' * 100), bounds=Bounds(chars=10))
    assert 'user: xxxxxxxxxx … 90 more characters\n' in render_text(reported)


def test_values_that_have_no_text_do_not_stop_it() -> None:
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
def test_no_text_looks_like_a_heading(text: str) -> None:
    """What begins a line is ours: the words of others are indented, or stand behind a label."""
    ours = ('── ', '[', 'user', 'model', '1 request', '')
    lines = render_text(talk(f'a\n{text}\n── request 2 ──')).split('\n')
    assert [line for line in lines if not line.startswith((' ', *ours[:-1])) and line] == []
    assert sum(line.startswith('── request') for line in lines) == 1
