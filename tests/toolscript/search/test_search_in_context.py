"""What a request is about and what it hands over are told apart from what it asks for."""

from __future__ import annotations

import pytest

from toolscript.search import Algorithm, Document, build_index

DESK = [
    Document('find_station', 'Find a train station', server='trains'),
    Document('translate', 'Translate a text into another language', server='words'),
    Document('get_forecast', 'The weather forecast and news about it', server='weather'),
    Document('shorten_url', 'Make a short url', server='links'),
    Document('send_sms', 'Send a text message to a phone', server='phone'),
    Document('create_shipment', 'Ship a parcel', server='shipping'),
    Document('get_user', 'Retrieve a user by email', server='people'),
]


@pytest.mark.parametrize('quotes', ["''", '""', '“”', '‘’', '``'])
def test_a_quoted_text_says_nothing_about_the_tool(quotes: str) -> None:
    request = f'Please translate {quotes[0]}Where is the train station?{quotes[1]} into Swedish for me'
    assert build_index('ranked', DESK).search(request, limit=1) == ['translate']


def test_what_is_nothing_but_a_quoted_text_is_searched_for() -> None:
    assert build_index('ranked', DESK).search("'find a train station'", limit=1) == ['find_station']


@pytest.mark.parametrize(
    'request_',
    [
        "where is the dog's train to the boys' house",
        "'tis the train of the boy's house",
        f'"{" ".join(["train"] * 45)}"',
    ],
)
def test_apostrophes_and_a_whole_letter_quote_nothing(request_: str) -> None:
    assert build_index('ranked', DESK).search(f'{request_} to translate', limit=5).count('find_station')


def test_one_or_two_quoted_words_count() -> None:
    assert build_index('ranked', DESK).search("which tool is for a 'train station'", limit=1) == ['find_station']


@pytest.mark.parametrize(
    ('request_', 'tool'),
    [
        ('Shorten https://blog.example.com/weather-forecast-news', 'shorten_url'),
        ('Shorten HTTPS://blog.example.com/weather-forecast-news', 'shorten_url'),
        ('Shorten www.weather-forecast-news.example', 'shorten_url'),
        ('retrieve jane@shipping-parcel.example', 'get_user'),
        ('retrieve <jane@shipping-parcel.example>', 'get_user'),
    ],
)
def test_an_address_counts_as_what_it_is(request_: str, tool: str) -> None:
    index = build_index('ranked', DESK)
    assert index.search(request_, limit=1) == index.asked_for(request_, limit=1) == [tool]


KINDS = ('look_up_domain', 'ping_ip', 'find_phone', 'percent_of', 'mix_color', 'what_date', 'other_things')


@pytest.mark.parametrize(
    ('request_', 'tool'),
    [
        ('who registered shop.example.org?', 'look_up_domain'),
        ('is 192.168.0.17 there', 'ping_ip'),
        ('whose is +44 7700 900123', 'find_phone'),
        ('what is 12.5 % of it', 'percent_of'),
        ('#ff8800 please', 'mix_color'),
        ('#112233 please', 'mix_color'),
        ('a darker #a1b', 'mix_color'),
        ('and after 2024-02-10?', 'what_date'),
        ('and after 10/2/2024?', 'what_date'),
    ],
)
def test_a_value_counts_as_what_it_is(request_: str, tool: str) -> None:
    assert build_index('ranked', list(map(Document, KINDS))).search(request_, limit=1) == [tool]


@pytest.mark.parametrize(
    'request_',
    [
        *('main.py', 'src/main.io', 'a.community', 'v1.2.3.4.5', '1.2.3.4.5', '1.2.3', 'a+44 7700 900123', 'a100%'),
        *('#123', '#12345', 'a#ff8800', 'a2024-02-10', '2024-02-10b'),
    ],
)
def test_what_only_resembles_a_value_is_none(request_: str) -> None:
    found = build_index('ranked', list(map(Document, KINDS))).search(f'{request_} thing', limit=5)
    assert found == ['other_things']


def test_the_service_that_a_domain_is_named_for_counts() -> None:
    tools = [Document('search_flats', 'Flats of others'), Document('search_rooms', 'Rooms of Booking')]
    assert build_index('ranked', tools).search('search Booking.com', limit=1) == ['search_rooms']


@pytest.mark.parametrize('algorithm', ['ranked', 'bm25', 'keywords'])
def test_a_phone_number_is_no_word_that_must_match(algorithm: Algorithm) -> None:
    for number in ('+1-555-0199', '+1 555 0199', '+44 7700 900123'):
        assert 'send_sms' in build_index(algorithm, DESK).search(f'send text to {number}', limit=5)


def test_a_request_of_several_sentences_prefers_the_server_that_answers_all_of_them() -> None:
    places = {'first': 'shop', 'second': 'farm', 'third': 'barn'}
    details = [Document(f'get_{place}', 'The details of an item', server=server) for place, server in places.items()]
    index = build_index('ranked', [*details, Document('get_channel_clips', 'The clips of a channel', server='barn')])
    assert index.search('the details of the item', limit=1) == ['get_first']
    found = index.search('Show the clips of a channel. I also want the details of the item.', limit=2)
    assert set(found) == {'get_channel_clips', 'get_third'}


def test_parts_of_one_sentence_are_for_one_server_where_more_is_asked_for() -> None:
    tools = [
        Document('get_profile', 'The profile of a company', server='news'),
        Document('list_profiles', 'The profile of a company', server='stocks'),
        Document('get_earnings', 'Quarterly earnings', server='stocks'),
        Document('show_map', 'A map of the city', server='maps'),
    ]
    index = build_index('ranked', tools)
    asked = 'Fetch the profile of a company, and the quarterly earnings.'
    assert index.search(asked, limit=3) == ['get_earnings', 'get_profile', 'list_profiles']
    found = index.search(f'Show a map of the city. {asked}', limit=3)
    assert set(found) == {'show_map', 'get_earnings', 'list_profiles'}


def test_tools_without_a_server_gain_nothing_by_each_other() -> None:
    tools = [
        Document('get_first', 'The details of an item'),
        Document('get_channel_clips', 'The clips of a channel'),
        Document('get_second', 'The details of an item'),
    ]
    found = build_index('ranked', tools).search('Show the clips of a channel. Then the details of an item.', limit=3)
    assert found.index('get_first') < found.index('get_second')
