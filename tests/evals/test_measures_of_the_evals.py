"""The measures of the evals say what they promise."""

import json

from evals.measuring.answers import is_right
from evals.measuring.crossing import Line, crossing
from evals.measuring.prices import dollars
from evals.measuring.prompt import PromptTokens, count, pieces
from evals.measuring.tokenizer import Tokenizer
from evals.playing.by_hand import Called, Finished, Wants, play
from evals.playing.results import Result
from tests.providers.loopback import Request

by_character = Tokenizer('characters', len)


def _request(*messages: str, tools: list[dict[str, object]] | None = None) -> Request:
    body = {'tools': tools or [], 'messages': [{'role': 'user', 'content': text} for text in messages]}
    return Request('anthropic', 1, {}, json.dumps(body).encode())


def test_the_text_before_the_first_difference_is_cached() -> None:
    first = _request('a' * 2000)
    longer = _request('a' * 2000, 'b')
    changed = _request('a' * 1900 + 'b')
    size = len(pieces(first)[0])
    assert count(longer, first, by_character).cached == size
    assert count(changed, first, by_character).cached == size - 102
    assert count(first, None, by_character).cached == 0


def test_openai_caches_in_steps_of_128_tokens() -> None:
    # {"role":"user","content":"…"} is 28 characters and the text: the first message is 1,500 of them, the second 30.
    said = [{'role': 'user', 'content': 'a' * 1472}, {'role': 'user', 'content': 'go'}]
    first, second = (Request('responses', 1, {}, json.dumps({'input': said[:length]}).encode()) for length in (1, 2))
    assert count(second, first, by_character) == PromptTokens(input=1530, cached=1408, tools=0)


def test_a_deferred_tool_is_read_where_it_is_revealed() -> None:
    tool: dict[str, object] = {'name': 'late', 'input_schema': {'type': 'object'}, 'defer_loading': True}
    hidden = _request('hello', tools=[tool])
    assert not any('late' in piece for piece in pieces(hidden))
    reference = {'type': 'tool_result', 'content': [{'type': 'tool_reference', 'tool_name': 'late'}]}
    body = {'tools': [tool], 'messages': [{'role': 'user', 'content': [reference]}]}
    revealed = Request('anthropic', 1, {}, json.dumps(body).encode())
    assert [piece.startswith('{"name":"late"') for piece in pieces(revealed)] == [False, True]


def test_cached_input_costs_less_and_new_input_is_written_on_anthropic() -> None:
    fresh = dollars('anthropic:claude-sonnet-4-6', input_tokens=1_000_000, cached=0, output=0)
    known = dollars('anthropic:claude-sonnet-4-6', input_tokens=1_000_000, cached=1_000_000, output=0)
    assert (fresh, known) == (3.75, 0.3)


def test_a_line_crosses_where_it_stays_below() -> None:
    flat = Line('code', ((1, 3.0), (2, 3.0), (3, 3.0), (4, 3.0)))
    rising = Line('direct', ((1, 1.0), (2, 4.0), (3, 2.0), (4, 5.0)))
    assert crossing(flat, rising) == 4
    assert crossing(rising, flat) is None


def test_answers_may_come_in_words() -> None:
    wanted = {'orders': 3, 'total': 12.5}
    assert is_right('{"orders": 3, "total": 12.50}', wanted)
    assert is_right('Here it is:\n```json\n{"total": 12.499, "orders": 3}\n```', wanted)
    assert is_right('The answer is\n"Dogwood"', 'dogwood')
    assert is_right('Dogwood', 'dogwood')
    assert not is_right('{"orders": 4, "total": 12.5}', wanted)
    assert not is_right('', None)
    assert not is_right('I could not do it.', wanted)


def test_a_program_by_hand_asks_for_all_it_can_at_once() -> None:
    plan = """\
import asyncio
one, two = await asyncio.gather(f(x=1), f(x=2))
await g(y=one + two)
"""
    assert play(plan, ['f', 'g'], []) == Wants((('f', {'x': 1}), ('f', {'x': 2})))
    known = [Called('f', {'x': 1}, _reported('10')), Called('f', {'x': 2}, _reported('20'))]
    assert play(plan, ['f', 'g'], known) == Wants((('g', {'y': 30}),))
    assert play(plan, ['f', 'g'], [*known, Called('g', {'y': 30}, _reported('"done"'))]) == Finished('done')


def _reported(text: str) -> Result:
    return Result((text,), failed=False)
