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


def test_one_or_two_quoted_words_count() -> None:
    assert build_index('ranked', DESK).search("which tool is for a 'train station'", limit=1) == ['find_station']


@pytest.mark.parametrize(
    ('request_', 'tool'),
    [
        ('Shorten https://blog.example.com/weather-forecast-news', 'shorten_url'),
        ('retrieve jane@shipping-parcel.example', 'get_user'),
    ],
)
def test_an_address_counts_as_what_it_is(request_: str, tool: str) -> None:
    index = build_index('ranked', DESK)
    assert index.search(request_, limit=1) == index.asked_for(request_, limit=1) == [tool]


@pytest.mark.parametrize('algorithm', ['ranked', 'bm25', 'keywords'])
def test_a_phone_number_is_no_word_that_must_match(algorithm: Algorithm) -> None:
    assert 'send_sms' in build_index(algorithm, DESK).search('send text to +1-555-0199', limit=5)


def test_a_request_of_several_sentences_prefers_the_server_that_answers_all_of_them() -> None:
    places = {'first': 'shop', 'second': 'farm', 'third': 'barn'}
    details = [Document(f'get_{place}', 'The details of an item', server=server) for place, server in places.items()]
    index = build_index('ranked', [*details, Document('get_channel_clips', 'The clips of a channel', server='barn')])
    assert index.search('the details of the item', limit=1) == ['get_first']
    found = index.search('Show the clips of a channel. I also want the details of the item.', limit=2)
    assert set(found) == {'get_channel_clips', 'get_third'}


def test_tools_without_a_server_gain_nothing_by_each_other() -> None:
    tools = [
        Document('get_first', 'The details of an item'),
        Document('get_channel_clips', 'The clips of a channel'),
        Document('get_second', 'The details of an item'),
    ]
    found = build_index('ranked', tools).search('Show the clips of a channel. Then the details of an item.', limit=3)
    assert found.index('get_first') < found.index('get_second')
