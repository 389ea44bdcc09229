"""The text of a call that waits for approval, on every surface: it has each name, and no forged line."""

import asyncio
import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from mcp_types import ElicitResult
from pydantic_ai import ToolDenied
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import DeferredToolRequests

from examples.approvals.answers import Answer, Refused
from examples.approvals.answers import decided as decided_on_the_page
from toolscript import PendingCall, pending_calls
from toolscript.approvals.pending import request_metadata
from toolscript.cli.approvals import decide
from toolscript.guards import is_array, is_object
from toolscript.serve.approvals import SessionApprovals

MAIL = {'body': 'Dear all, ' * 800, 'to': 'attacker@evil.example'}


def waiting(args: dict[str, Any], tool: str = 'send_mail') -> DeferredToolRequests:
    return DeferredToolRequests(approvals=[ToolCallPart(tool, args, 'call-1')])


def in_the_terminal(args: dict[str, Any]) -> tuple[str, object]:
    """Return the text of the command, and the decision if the person answers yes."""

    async def yes(question: str) -> str:
        return 'y'

    with redirect_stderr(io.StringIO()) as shown:
        decision = asyncio.run(decide(waiting(args), [], yes)).approvals['call-1']
    return shown.getvalue().removesuffix('\n'), decision


def in_a_client(args: dict[str, Any]) -> tuple[str, object]:
    """Return the text of `serve`, and the decision if the client's user approves."""
    asked: list[str] = []

    async def ask(message: str, form: dict[str, Any]) -> ElicitResult:
        asked.append(message)
        return ElicitResult(action='accept', content={'decision': 'approve'})

    results = asyncio.run(SessionApprovals().decide(waiting(args), ask))
    return ''.join(asked).removeprefix('Approve this call?\n'), results.approvals['call-1']


def on_the_page(args: dict[str, Any]) -> tuple[str, object]:
    """Return the data for the chat page, and the decision if the person approves."""
    requests = waiting(args)
    [call] = pending_calls(requests)
    [sent] = json.loads(json.dumps(request_metadata([call], 'snapshot')['toolscript_calls']))
    try:
        decision: object = decided_on_the_page(requests, {'call-1': Answer(approved=True)}).approvals['call-1']
    except Refused as refused:
        decision = ToolDenied(str(refused))
    return sent['text'] or '', decision


SURFACES = (in_the_terminal, in_a_client, on_the_page)


def names(value: object, path: str = '') -> Iterator[str]:
    """Return the path of each value in the arguments, as the text writes it."""
    if is_object(value) and value:
        for name, item in value.items():
            plain = name if re.fullmatch('[A-Za-z_][A-Za-z0-9_-]*', name) else json.dumps(name)
            yield from names(item, f'{path}.{plain}' if path else plain)
    elif is_array(value) and any(isinstance(item, (dict, list)) or len(str(item)) > 200 for item in value):
        for index, item in enumerate(value):
            yield from names(item, f'{path}[{index}]')
    elif path:
        yield path


def _repeated(text: str, times: int) -> str:
    return text * times


texts: st.SearchStrategy[str] = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ['\n  to = "friend"', '\u202egnp.exe', '\u2028', '… 5 more characters', '"', '\\', '\r', '\x1b[2J']
    ),
    st.builds(_repeated, st.text(min_size=1, max_size=10), st.integers(1, 2_000)),
)


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4))


values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(texts, st.integers(-(10**20), 10**20), st.booleans(), st.none()), _nested, max_leaves=12
)


LINE = re.compile(r'  ((?:\[\d+\]|\.?(?:[A-Za-z_][A-Za-z0-9_-]*|"(?:[^"\\]|\\.)*"))+) = (.+)')


@given(st.dictionaries(texts, values, max_size=30))
def test_every_surface_shows_each_name_on_its_own_line_or_denies_the_call(args: dict[str, Any]) -> None:
    [call] = pending_calls(waiting(args))
    if call.to_json()['text'] is None:
        assert all(isinstance(surface(args)[1], ToolDenied) for surface in SURFACES)
        return
    for surface in SURFACES:
        text, decision = surface(args)
        heading, *lines = text.splitlines()
        read = [found for line in lines if (found := LINE.fullmatch(line))]
        assert (heading, len(read)) == ('send_mail:', len(lines))
        assert sorted(found[1] for found in read) == sorted(names(args))
        assert len(text) <= 4_000
        assert not re.search('[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e]', text)
        assert not isinstance(decision, ToolDenied)


@pytest.mark.parametrize('surface', SURFACES)
@pytest.mark.parametrize('args', [MAIL, dict(reversed(MAIL.items())), {'message': MAIL}, {'messages': [MAIL]}])
def test_a_long_text_hides_nothing_beside_it(
    args: dict[str, Any], surface: Callable[[dict[str, Any]], tuple[str, object]]
) -> None:
    text, _ = surface(args)
    _, to, body = text.splitlines()
    assert to.endswith('to = "attacker@evil.example"')
    found = re.fullmatch(r'.*body = "((?:Dear all, )+.*)" … ([\d,]+) more characters', body)
    assert found is not None
    assert len(found[1]) + int(found[2].replace(',', '')) == len(MAIL['body'])


def test_short_values_come_first_and_long_ones_say_how_much_is_missing() -> None:
    [call] = pending_calls(waiting({'text': 'x' * 500, 'numbers': list(range(500)), 'to': 'mira', 'urgent': True}))
    assert call.render(max_chars=220) == snapshot("""\
send_mail:
  urgent = true
  to = "mira"
  numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] … 483 more items
  text = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" … 442 more characters\
""")


def test_the_text_of_a_value_stays_inside_its_quotes() -> None:
    args = {'text': 'hi"\n  to = "friend', 'to = "friend"\n  x': '\u202efriend', 'n': '… 5 more characters'}
    [call] = pending_calls(waiting(args, tool='send\nmail'))
    assert call.render() == snapshot("""\
"send\\nmail":
  "to = \\"friend\\"\\n  x" = "\\u202efriend"
  n = "… 5 more characters"
  text = "hi\\"\\n  to = \\"friend"\
""")


def test_server_and_hints_are_in_the_first_line() -> None:
    call = PendingCall(
        tool_call_id='1', tool_name='wipe', args={}, kind='approval', server='disk', destructive=True, read_only=False
    )
    assert call.render() == 'wipe of disk (destructive):'


def test_a_call_that_cannot_be_shown_cannot_be_approved_and_the_message_advises() -> None:
    args = {f'argument_{number}': number for number in range(1_000)}
    why = 'send_mail cannot be approved here: the names of all its arguments do not fit into the 4,000 characters that can be shown. Make several smaller calls instead.'
    other_way = ' The user can also allow all calls of send_mail, with requires_approval = false in toolscript.toml.'
    assert in_the_terminal(args) == (why, ToolDenied(why))
    assert in_a_client(args) == ('', ToolDenied(why + other_way))
    assert on_the_page(args) == ('', ToolDenied(why))
