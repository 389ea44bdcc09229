"""What the ranked search sees in tools and requests."""

from __future__ import annotations

from contextlib import suppress
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from tests.sampling import sampled
from toolscript.search import Algorithm, Document, QueryError, build_index
from toolscript.search.ranked import RankedIndex

WORKPLACE = [
    Document('create_issue', 'Open an issue in a repository', {'properties': {'assignee': {'type': 'string'}}}),
    Document('refund_payment', 'Return the money of a charge', {'properties': {'payment_intent': {'type': 'string'}}}),
    Document('delete_record', 'Remove one row', {'properties': {'table': {'enum': ['customers', 'invoices']}}}),
    Document('getBaziDetail', '根据时间、性别来获取八字信息'),
    Document('register_webhook', 'Call an address when something happens'),
    Document('bbc-headlines', '获取新闻资讯'),
    Document('search_v2.files', None, {'properties': {'q': {'description': 'wildcards such as *.md'}}}, 'drive'),
    Document('say', 'Speak aloud', tags=('accessibility',)),
]


def first(query: str, documents: list[Document] = WORKPLACE) -> str | None:
    return next(iter(build_index('ranked', documents).search(query, limit=5)), None)


@pytest.mark.parametrize(
    ('query', 'tool'),
    [
        ('create issue', 'create_issue'),
        ('CreateIssue', 'create_issue'),
        ('refunding payments', 'refund_payment'),
        ('payment intent', 'refund_payment'),
        ('deleting records', 'delete_record'),
        ('assignee', 'create_issue'),
        ('invoices', 'delete_record'),
        ('wildcards', 'search_v2.files'),
        ('drive', 'search_v2.files'),
        ('accessibility', 'say'),
    ],
)
def test_every_part_of_a_tool_can_be_found(query: str, tool: str) -> None:
    assert first(query) == tool


def test_words_that_mean_the_same_find_each_other() -> None:
    assert first('erase') == 'delete_record'
    assert first('open a bug ticket') == 'create_issue'


def test_a_verb_and_its_noun_count_nearly_as_one_word() -> None:
    reminders = [Document('add_reminder', 'Create one'), Document('watch_plants', 'Water them'), *WORKPLACE]
    assert first('remind me to water the plants', reminders) == 'watch_plants'
    assert first('remind me on Monday', [*reminders, Document('list_notifications', 'Notify')]) == 'add_reminder'


def test_a_tool_described_in_chinese_is_found_in_english_and_in_chinese() -> None:
    assert first('news') == 'bbc-headlines'
    assert first('八字') == 'getBaziDetail'


def test_words_written_apart_find_the_compound() -> None:
    assert first('web hook') == 'register_webhook'
    assert first('ba zi') == 'getBaziDetail'


def test_each_sentence_of_a_request_finds_its_tool() -> None:
    request = (
        'Please help me with the customer Smith and his broken order from last week, which he paid with a card. '
        'First refund the payment. Then delete the record. Finally register a webhook.'
    )
    found = build_index('ranked', WORKPLACE).search(request, limit=3)
    assert sorted(found) == ['delete_record', 'refund_payment', 'register_webhook']


@pytest.mark.parametrize(
    'request_',
    [
        '1. Refund the payment\n2. Delete the record\n3. Register a webhook',
        '- refund the payment\n- delete the record\n- register a webhook',
    ],
)
def test_each_line_of_a_list_finds_its_tool_and_its_number_none(request_: str) -> None:
    numbered = [Document('top_1', 'The first 1'), Document('top_2', 'The second 2')]
    found = build_index('ranked', WORKPLACE + numbered).search(request_, limit=3)
    assert sorted(found) == ['delete_record', 'refund_payment', 'register_webhook']


def test_a_noun_finds_its_verb() -> None:
    tools = [Document('verify_address'), Document('convert_units'), Document('cancel_order'), Document('install_app')]
    nouns = ['verification', 'conversion', 'cancellation', 'installation']
    assert [first(noun, tools) for noun in nouns] == [tool.name for tool in tools]


@pytest.mark.parametrize('algorithm', ['ranked', 'bm25', 'keywords', 'regex'])
@pytest.mark.parametrize(
    'run',
    sampled(
        ['"a" ', '.', '\n', ' then', ' and', ',', ' ', '-x ', 'aB', '1a', 'y', '天', '🎉', 'name:*a ', '- ', '+issue '],
        4,
    ),
)
def test_a_long_query_takes_no_time_that_grows_with_its_square(algorithm: Algorithm, run: str) -> None:
    index = build_index(algorithm, WORKPLACE)
    start = process_time()
    with suppress(QueryError):
        index.search(f'create{run * 40_000}issue', limit=5)
    assert process_time() - start < 30


def test_the_name_counts_for_more_than_the_description() -> None:
    tools = [Document('notes', 'Send a calendar entry'), Document('calendar', 'Show all entries')]
    assert build_index('ranked', tools).search('calendar', limit=5) == snapshot(['calendar', 'notes'])


def test_the_first_sentence_counts_for_more_than_what_follows() -> None:
    filler = 'Then it does a number of other things that nobody would ask for by this.'
    tools = [
        Document('a', f'Reads one page of the archive aloud. {filler} Weather.'),
        Document('b', f'Weather for one place on the earth. {filler} Archive.'),
    ]
    assert build_index('ranked', tools).search('weather', limit=5) == snapshot(['b', 'a'])


def test_equal_tools_keep_the_catalogs_order() -> None:
    tools = [Document(name, 'weather') for name in ('zulu', 'alpha', 'mike')]
    assert build_index('ranked', tools).search('weather', limit=5) == ['zulu', 'alpha', 'mike']


def test_words_in_most_of_a_small_catalog_still_rank() -> None:
    tools = [Document('weather_today', 'weather'), Document('weather_map', 'weather'), Document('stocks', 'prices')]
    for algorithm in ('ranked', 'bm25'):
        assert set(build_index(algorithm, tools).search('weather', limit=5)) == {'weather_today', 'weather_map'}
        assert build_index(algorithm, tools).search('weather map', limit=5)[0] == 'weather_map'


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda children: (
        st.lists(children, max_size=3)
        | st.dictionaries(st.sampled_from(['properties', 'items', 'enum', 'description', 'a']), children, max_size=3)
    ),
    max_leaves=12,
)


@given(schema=st.dictionaries(st.sampled_from(['properties', 'items', 'enum', 'x']), _ANYTHING, max_size=3))
def test_a_malformed_schema_hides_nothing_else(schema: dict[str, Any]) -> None:
    tools = [Document('wombat', 'Feed the animal', schema), Document('other')]
    assert first('wombat', tools) == 'wombat'
    assert build_index('regex', tools).search('^wombat$', limit=5) == ['wombat']


def test_a_schema_that_holds_itself_is_read_to_a_depth() -> None:
    schema: dict[str, Any] = {'properties': {}}
    schema['properties']['again'] = schema
    assert first('again', [Document('wombat', None, schema)]) == 'wombat'


MAIL = [
    Document('send_mail', 'Send an e-mail message to somebody'),
    Document('list_mail', 'List the mail in a folder'),
    Document('mail_rules', 'Rules by which mail is sorted'),
    Document('send_invoice', 'Send an invoice to a customer'),
    Document('book_flight', 'Book a seat on a flight'),
]


def test_what_is_worth_reading_ends_where_the_scores_fall_away() -> None:
    index = build_index('ranked', MAIL)
    everything = index.search('send mail', limit=5)
    best = index.worth_reading('send mail', limit=5)
    assert everything[: len(best)] == best
    assert best == ['send_mail', 'send_invoice']
    assert len(everything) == 4


def test_tools_that_answer_alike_are_all_worth_reading() -> None:
    alike = [Document(f'report_{letter}', 'Weather report') for letter in 'abcd']
    assert build_index('ranked', alike).worth_reading('weather report', limit=5) == [tool.name for tool in alike]


def test_each_need_of_a_request_keeps_its_tool() -> None:
    found = build_index('ranked', MAIL).worth_reading('send mail; book a flight', limit=5)
    assert set(found) == {'send_mail', 'book_flight'}


@pytest.mark.parametrize('algorithm', ['keywords', 'regex'])
def test_where_scores_say_only_the_order_all_that_matches_is_worth_reading(algorithm: Algorithm) -> None:
    index = build_index(algorithm, MAIL)
    assert index.worth_reading('mail', limit=5) == index.search('mail', limit=5)
    assert len(index.search('mail', limit=5)) == 3


def test_named_tools_are_worth_reading_however_little_they_score() -> None:
    assert build_index('ranked', MAIL).worth_reading('mail_rules; book_flight; send mail to somebody', limit=1) == [
        'mail_rules', 'book_flight',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ('said', 'compound'),
    [
        ('web hooks', 'webhook'),
        ('colour blindness', 'colorblindness'),
        ('photograph galleries', 'photographgallery'),
        ('sub plotting', 'subplot'),
        ('time stamps', 'Timestamp'),
        ('log ins', 'login'),
    ],
)
def test_two_words_find_the_compound_that_a_tool_says_in_another_form(said: str, compound: str) -> None:
    assert RankedIndex([Document('one', compound), Document('other')]).scored(said, limit=5)
