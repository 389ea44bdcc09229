"""The ranked search finds the intended tools, in any wording."""

import re
from collections import Counter
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import sampled
from toolscript.search import Algorithm, Document, QueryError, build_index
from toolscript.search.document import texts
from toolscript.search.ranked import RankedIndex
from toolscript.search.subqueries import needs_of

_ROW = {'properties': {'table': {'enum': ['customers', 'invoices']}}}
OFFICE = [
    Document('search_flights', 'Search for flights between two airports'),
    Document('get_weather', 'Weather forecast for a place'),
    Document('send_email', 'Send an email message to somebody'),
    Document('delete_file', 'Delete a file from the disk'),
    Document('list_files', 'List the files in a directory'),
    Document('list_repositories', 'List the repositories of an organization'),
    Document('list_repository_tags', 'List the tags of a repository'),
    Document('create_pull_request', 'Propose the changes of a branch'),
    Document('analyze_colors', 'Analyze the colors of a picture'),
    Document('translate_text', 'Translate text into another language'),
    Document('create_event', 'Create an event in the calendar'),
    Document('book_hotel', 'Book a room in a hotel'),
    Document('generate_image', 'Generate an image from a prompt'),
    Document('get_config', 'Read the configuration'),
    Document('set_config_value', 'Write one value of the configuration'),
    Document('get_stock_price', 'The price of a stock on the exchange'),
    Document('search_articles', 'Search for articles'),
    Document('get_kubernetes_pods', 'The pods of a cluster'),
    Document('create_chart', 'Draw a chart of numbers'),
    Document('delete_user', 'Delete a user for good'),
]
WORKPLACE = [
    Document('create_issue', 'Open an issue in a repository', {'properties': {'assignee': {'type': 'string'}}}),
    Document('refund_payment', 'Return the money of a charge', {'properties': {'payment_intent': {'type': 'string'}}}),
    Document('delete_record', 'Remove one row', {'properties': {'rows': {'items': _ROW}}}),
    Document('getBaziDetail', '根据时间、性别来获取八字信息'),
    Document('register_webhook', 'Call an address when something happens'),
    Document('bbc-headlines', '获取新闻资讯'),
    Document('search_v2.files', None, {'properties': {'q': {'description': 'wildcards such as *.md'}}}, 'drive'),
    Document('say', 'Speak aloud', tags=('accessibility',)),
]
DESK = [
    Document('find_station', 'Find a train station', server='trains'),
    Document('translate', 'Translate a text into another language', server='words'),
    Document('get_forecast', 'The weather forecast and news about it', server='weather'),
    Document('shorten_url', 'Make a short url', server='links'),
    Document('send_sms', 'Send a text message to a phone', server='phone'),
    Document('create_shipment', 'Ship a parcel', server='shipping'),
    Document('get_user', 'Retrieve a user by email', server='people'),
]
KINDS = [
    Document(name)
    for name in ('look_up_domain', 'ping_ip', 'find_phone', 'percent_of', 'mix_color', 'what_date', 'other_things')
]
MERGES = [
    Document('send_slack_message', 'Send a Slack message over Slack'),
    Document('create_invoice', 'Write an invoice'),
    Document('invite_user', 'Create an invite'),
    Document('take_screenshot', 'Capture a page'),
    Document('sheet_data', 'シートのデータを取得'),
    Document('device_state', 'デバイスの状態を取得'),
    Document('stock_price', 'The price of a stock'),
]
DOERS = [Document('verify_address'), Document('convert_units'), Document('cancel_order'), Document('install_app')]


def found(documents: list[Document], query: str, limit: int = 5) -> list[str]:
    return list(build_index('ranked', documents).search(query, limit=limit))


CATALOGS = {'OFFICE': OFFICE, 'WORKPLACE': WORKPLACE, 'DESK': DESK, 'KINDS': KINDS, 'MERGES': MERGES, 'DOERS': DOERS}
MEANT = re.findall(r'^([A-Z]+): (.*) -> (.*)$', Path(__file__).with_name('ranked.txt').read_text(), re.MULTILINE)


@pytest.mark.parametrize(('catalog', 'query', 'tool'), MEANT)
def test_the_intended_tool_ranks_first(catalog: str, query: str, tool: str) -> None:
    assert found(CATALOGS[catalog], query)[:1] == [tool]


@pytest.mark.parametrize(
    ('query', 'tools'),
    [
        ('search flights and book a hotel', {'search_flights', 'book_hotel'}),
        ('translate a text, send it by email', {'translate_text', 'send_email'}),
        ('draw the numbers, then get weather', {'create_chart', 'get_weather'}),
    ],
)
def test_each_of_two_requests_has_its_place_among_many_similar_tools(query: str, tools: set[str]) -> None:
    alike = [Document(f'{tool.name}_{n}', tool.description) for tool in OFFICE for n in range(4)]
    best = build_index('ranked', [*OFFICE, *alike]).worth_reading(query, limit=5)
    assert {name.rstrip('_0123456789') for name in best} >= tools


@pytest.mark.parametrize(
    'query',
    [
        'Please help me with the customer Smith and his broken order from last week, which he paid with a card. First refund the payment. Then delete the record. Finally register a webhook.',
        '1. Refund the payment\n2. Delete the record\n3. Register a webhook',
        '- refund the payment\n- delete the record\n- register a webhook',
    ],
)
def test_each_sentence_or_line_of_a_request_finds_its_tool_and_numbering_none(query: str) -> None:
    numbered = [Document('top_1', 'The first 1'), Document('top_2', 'The second 2')]
    assert sorted(found([*WORKPLACE, *numbered], query, 3)) == ['delete_record', 'refund_payment', 'register_webhook']


# -- what is not corrected


def test_a_word_that_a_tool_uses_is_not_corrected() -> None:
    tools = [Document('pint', 'Measure a pint'), Document('print', 'Print a page'), Document('prints', 'Old prints')]
    assert found(tools, 'pint') == ['pint']


@pytest.mark.parametrize('query', ['mail to flihgts@example.com', 'open /flihgts/', 'key=flihgts', 'Mr Flihgts'])
def test_addresses_values_and_names_are_not_corrected(query: str) -> None:
    assert 'search_flights' not in found(OFFICE, query)


@pytest.mark.parametrize('query', ['de la', 'en el', 'der die das', 'je veux', 'の', 'и'])
def test_stop_words_of_other_languages_match_nothing(query: str) -> None:
    tools = [*OFFICE, Document('user_un', 'de la un en el der die das je veux'), Document('other', 'Something')]
    assert found(tools, f'{query} vuelos flug рейс avion 航班', 1) != ['user_un']


def test_a_foreign_word_that_a_tool_uses_counts_too() -> None:
    tools = [*OFFICE, Document('consulta_previa', 'Consulta de vuelos')]
    assert set(found(tools, 'consulta de vuelos')[:2]) == {'consulta_previa', 'search_flights'}


# -- the order


def test_verbs_of_the_same_action_count_as_one() -> None:
    deletes = [Document(f'delete_{thing}') for thing in ('user', 'album', 'file', 'note', 'pod', 'row')]
    others = [Document(f'{verb}_album', 'The album') for verb in ('print', 'play', 'paint', 'rate', 'tag')]
    tools = [*others, *deletes, *(Document(f'other_{number}') for number in range(30))]
    assert [found(tools, f'{verb} the album')[0] for verb in ('purge', 'erase')] == ['delete_album'] * 2


def test_the_name_counts_more_than_the_first_sentence_and_that_more_than_the_rest() -> None:
    assert found([Document('notes', 'A calendar entry'), Document('calendar', 'All')], 'calendar')[0] == 'calendar'
    filler = 'Then it does a number of other things that nobody would ask for by this.'
    tools = [
        Document('a', f'Reads one page of the archive aloud. {filler} Weather.'),
        Document('b', f'Weather for one place on the earth. {filler} Archive.'),
    ]
    assert found(tools, 'weather') == ['b', 'a']


def test_a_request_of_several_sentences_prefers_the_server_that_answers_all() -> None:
    places = {'first': 'shop', 'second': 'farm', 'third': 'barn'}
    details = [Document(f'get_{place}', 'The details of an item', server=server) for place, server in places.items()]
    tools = [*details, Document('get_channel_clips', 'The clips of a channel', server='barn')]
    assert found(tools, 'the details of the item', 1) == ['get_first']
    asked = 'Show the clips of a channel. I also want the details of the item.'
    assert set(found(tools, asked, 2)) == {'get_channel_clips', 'get_third'}


@pytest.mark.parametrize(
    ('request_for_two', 'needs'),
    [
        ('Create a branch and commit the changes.', ['Create a branch', 'commit the changes.']),
        ('Convert it to PDF and protect it with a password', ['Convert it to PDF', 'protect it with a password']),
        ('Add a table and a note to the page', ['Add a table', 'Add a note to the page']),
        ('Get the news plus the price of gold', ['Get the news', 'Get the price of gold']),
        ('Move the report after creating that folder', ['Move the report', 'creating that folder']),
        ('What changed, and is my work saved?', ['What changed', 'is my work saved?']),
        ('When do the next matches start?', ['When do the next matches start?']),
        ('Send a letter to Ann and Bob', ['Send a letter to Ann and Bob']),
        ('Find the cost and benefits of it', ['Find the cost and benefits of it']),
    ],
)
def test_separate_requests_are_distinguished_from_lists(request_for_two: str, needs: list[str]) -> None:
    assert needs_of(request_for_two) == needs


MANY = [
    Document(f'{verb}_{thing}_{number}', f'{verb.title()} {thing} number {number} of the {thing} service')
    for verb, thing in (('send', 'letter'), ('list', 'whale'))
    for number in range(8)
]


@pytest.mark.parametrize(
    'request_for_two',
    [
        'Send a letter. List whales.',
        'Send a letter; list whales.',
        'send a letter and list the whales',
        'send a letter, then list the whales',
        'send a letter, and how do you list whales?',
    ],
)
@pytest.mark.parametrize('limit', [6, 8, 10])
def test_each_of_two_requests_has_a_share_of_the_results_and_a_larger_limit_only_appends(
    request_for_two: str, limit: int
) -> None:
    index = build_index('ranked', MANY)
    ten = index.worth_reading(request_for_two, limit=10)
    assert sorted(Counter(name.partition('_')[0] for name in ten).items()) == [('list', 5), ('send', 5)]
    assert index.worth_reading(request_for_two, limit=limit) == ten[:limit]


def test_a_request_with_operators_is_not_split() -> None:
    found = build_index('ranked', MANY).search('+letter send. list whales', limit=10)
    assert {name.partition('_')[0] for name in found} == {'send'}


# -- results worth reading

MAIL = [
    Document('send_mail', 'Send an e-mail message to somebody'),
    Document('list_mail', 'List the mail in a folder'),
    Document('mail_rules', 'Rules by which mail is sorted'),
    Document('send_invoice', 'Send an invoice to a customer'),
    Document('book_flight', 'Book a seat on a flight'),
]


def test_results_worth_reading_end_where_the_scores_drop() -> None:
    index = build_index('ranked', MAIL)
    assert index.worth_reading('send mail', limit=5) == index.search('send mail', limit=5)[:2]
    both = index.worth_reading('send mail; book a flight', limit=5)
    assert set(both) == {*index.worth_reading('send mail', limit=5), *index.worth_reading('book a flight', limit=5)}
    alike = [Document(f'report_{letter}', 'Weather report') for letter in 'abcd']
    assert build_index('ranked', alike).worth_reading('weather report', limit=5) == [tool.name for tool in alike]


def test_named_tools_are_worth_reading_whatever_their_score() -> None:
    best = build_index('ranked', MAIL).worth_reading('mail_rules; book_flight; send mail to somebody', limit=1)
    assert best == ['mail_rules', 'book_flight']


@pytest.mark.parametrize('algorithm', ['keywords', 'regex'])
def test_where_scores_are_only_an_order_all_matches_are_worth_reading(algorithm: Algorithm) -> None:
    index = build_index(algorithm, MAIL)
    assert index.worth_reading('mail', limit=5) == index.search('mail', limit=5)
    assert len(index.search('mail', limit=5)) == 3


# -- hostile input


@pytest.mark.parametrize('algorithm', ['ranked', 'bm25', 'keywords', 'regex'])
@pytest.mark.parametrize(
    'run',
    sampled(
        ['"a" ', '.', '\n', ' then', ' and', ',', ' ', '-x ', 'aB', '1a', 'y', '天', '🎉', 'name:*a ', '- ', '+issue '],
        4,
    ),
)
def test_the_time_of_a_long_query_is_not_quadratic(algorithm: Algorithm, run: str) -> None:
    index = build_index(algorithm, WORKPLACE)
    start = process_time()
    with suppress(QueryError):
        index.search(f'create{run * 40_000}issue', limit=5)
    assert process_time() - start < 30


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda children: (
        st.lists(children, max_size=3)
        | st.dictionaries(st.sampled_from(['properties', 'items', 'enum', 'description', 'a']), children, max_size=3)
    ),
    max_leaves=12,
)


@given(schema=st.dictionaries(st.sampled_from(['properties', 'items', 'enum', 'x']), _ANYTHING, max_size=3))
def test_a_malformed_schema_hides_no_other_tool(schema: dict[str, Any]) -> None:
    tools = [Document('wombat', 'Feed the animal', schema), Document('other')]
    assert found(tools, 'wombat') == ['wombat']
    assert build_index('regex', tools).search('^wombat$', limit=5) == ['wombat']


def test_a_recursive_schema_is_read_to_a_limited_depth() -> None:
    schema: dict[str, Any] = {'properties': {}}
    schema['properties']['again'] = schema
    assert found([Document('wombat', None, schema)], 'again') == ['wombat']


@pytest.mark.parametrize(
    ('query', 'compound'),
    [
        ('web hooks', 'webhook'),
        ('photograph galleries', 'photographgallery'),
        ('sub plotting', 'subplot'),
        ('time stamps', 'Timestamp'),
        ('log ins', 'login'),
    ],
)
def test_two_words_find_their_compound(query: str, compound: str) -> None:
    assert RankedIndex([Document('one', compound), Document('other')]).scored(query, limit=5)


def test_the_text_of_one_tool_is_bounded_and_the_log_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    enough = 'a' * 20_000
    values = {'properties': {'kind': {'enum': [f'value{n}' for n in range(100_000)], 'description': enough}}}
    documents = [Document('huge', f'Send a mail. {enough * 100}', values), *WORKPLACE]
    assert max(map(len, texts(documents[0]))) == 10_000
    assert found(documents, 'send a mail')[0] == 'huge'
    assert found(documents, 'create issue')[0] == 'create_issue'
    assert [record.getMessage() for record in caplog.records] == [
        "The search reads the first 10000 characters of the description of tool 'huge'."
    ]


@pytest.mark.parametrize('asked', ['open a pull request', 'file a pull request', 'raise a new GitHub pull request'])
def test_open_and_file_find_tools_that_create(asked: str) -> None:
    names = ['list_pull_requests', 'merge_pull_request', 'create_pull_request', 'open_pull_request_page', 'open_file']
    index = build_index('ranked', [Document(name) for name in names])
    assert index.search(asked, limit=2)[0] == 'create_pull_request'


def test_the_first_five_of_eight_are_the_same_as_of_five() -> None:
    trends = [Document(f'get_trends_{number}', 'Get trending topics, gaming news or content.') for number in range(9)]
    index = build_index('ranked', [Document('get_trending', 'List the topics of a site.'), *trends])
    asked = 'get trending topics or gaming news content'
    assert index.search(asked, limit=8)[:5] == index.search(asked, limit=5)
    assert 'get_trending' in index.search(asked, limit=5)


def test_a_typo_is_not_corrected_to_a_stop_word() -> None:
    tools = [Document('get_weather', 'Weather of a place'), Document('a', 'whether whether'), Document('b', 'whether')]
    assert found(tools, 'wether') == ['get_weather']


def test_words_in_most_of_a_small_catalog_still_rank() -> None:
    tools = [Document('weather_today', 'weather'), Document('weather_map', 'weather'), Document('stocks', 'prices')]
    for algorithm in ('ranked', 'bm25'):
        assert set(build_index(algorithm, tools).search('weather', limit=5)) == {'weather_today', 'weather_map'}
        assert build_index(algorithm, tools).search('weather map', limit=5)[0] == 'weather_map'
