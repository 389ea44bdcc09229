"""Requests with slips, in British, run together, abbreviated and in other languages find the tools that were meant."""

from __future__ import annotations

import pytest

from toolscript.search import Document, build_index
from toolscript.search.ranked import RankedIndex

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


def first(query: str) -> str | None:
    return next(iter(build_index('ranked', OFFICE).search(query, limit=5)), None)


@pytest.mark.parametrize(
    ('query', 'tool'),
    [
        ('serach for flihgts', 'search_flights'),
        ('wheather forcast', 'get_weather'),
        ('send an emial', 'send_email'),
        ('delte a fiel', 'delete_file'),
        ('genrate an imgae', 'generate_image'),
        ('kuberntes', 'get_kubernetes_pods'),
        ('tranlsate', 'translate_text'),
        ('repostiroies', 'list_repositories'),
    ],
)
def test_slips_of_the_keyboard_are_mended(query: str, tool: str) -> None:
    assert first(query) == tool


def test_a_word_that_some_tool_says_is_not_mended() -> None:
    tools = [Document('pint', 'Measure a pint'), Document('print', 'Print a page'), Document('prints', 'Old prints')]
    assert build_index('ranked', tools).search('pint', limit=5) == ['pint']


@pytest.mark.parametrize(
    'query', ['mail to flihgts@example.com', 'open /flihgts/', 'key=flihgts', 'Mr Flihgts', 'abcd']
)
def test_addresses_values_and_names_are_not_mended(query: str) -> None:
    assert 'search_flights' not in build_index('ranked', OFFICE).search(query, limit=5)


@pytest.mark.parametrize(
    ('query', 'tool'),
    [
        ('listrepositories', 'list_repositories'),
        ('getweather', 'get_weather'),
        ('deletefile', 'delete_file'),
        ('setconfigvalue', 'set_config_value'),
    ],
)
def test_words_run_together_are_understood(query: str, tool: str) -> None:
    assert first(query) == tool


@pytest.mark.parametrize(
    ('query', 'tool'),
    [
        ('list repositories', 'list_repositories'),
        ('please list all the repositories of my organization', 'list_repositories'),
        ('get config of the app', 'get_config'),
    ],
)
def test_a_name_that_is_said_in_words_is_among_the_first(query: str, tool: str) -> None:
    assert first(query) == tool


def test_a_name_that_is_said_by_the_way_has_a_place_behind_what_answers_better() -> None:
    query = 'the price of a stock on the exchange, book a room in a hotel, get config'
    found = build_index('ranked', OFFICE).search(query, limit=3)
    assert found == ['book_hotel', 'get_stock_price', 'get_config']


@pytest.mark.parametrize(
    ('query', 'tools'),
    [
        ('search flights and book a hotel', {'search_flights', 'book_hotel'}),
        ('translate a text, send it by email', {'translate_text', 'send_email'}),
        ('draw the numbers, then get weather', {'create_chart', 'get_weather'}),
        ('get the weather and email it to my boss', {'get_weather', 'send_email'}),
    ],
)
def test_each_of_two_needs_has_its_place_among_many_tools_alike(query: str, tools: set[str]) -> None:
    alike = [Document(f'{tool.name}_{n}', tool.description) for tool in OFFICE for n in range(4)]
    found = build_index('ranked', [*OFFICE, *alike]).worth_reading(query, limit=5)
    assert {name.rstrip('_0123456789') for name in found} >= tools


def test_names_run_together_are_read_in_the_parts_that_tools_say() -> None:
    many = [Document(f'get_{thing}') for thing in ('user', 'user_list', 'user_name', 'email', 'email_list')]
    few = [Document('getUser'), Document('find_by_email', 'Find who has an email')]
    rest = [Document(f'get_user_email_{number}') for number in range(20)]
    meant = RankedIndex([*many, *few, *rest])
    assert meant.scored('getuserbyemail', limit=5) == meant.scored('get user by email', limit=5)


def test_of_tools_alike_the_one_that_does_what_is_said_comes_first() -> None:
    verbs = ['create', 'delete', 'update', 'list']
    tools = [Document(f'{verb}_user', 'The user') for verb in verbs]
    said = ['make a user', 'erase a user', 'modify a user', 'show users']
    assert [build_index('ranked', tools).search(query, limit=1) for query in said] == [[tool.name] for tool in tools]


def test_words_that_say_nothing_are_no_name() -> None:
    tools = [Document('to_do', 'Chores'), Document('calendar', 'What is to do when')]
    assert build_index('ranked', tools).search('what to do in the calendar', limit=5)[0] == 'calendar'


@pytest.mark.parametrize(
    ('query', 'tool'),
    [
        ('buscar vuelos baratos', 'search_flights'),
        ('¿qué tiempo hace mañana en Madrid?', 'get_weather'),
        ('enviar un correo electrónico', 'send_email'),
        ("créer une image à partir d'un texte", 'generate_image'),
        ('envoyer un courriel', 'send_email'),
        ('wat kost een kamer voor vannacht', 'book_hotel'),
        ('dit is een foto, vertaal is voldoende', 'translate_text'),
        ('supprimer un fichier', 'delete_file'),
        ('Wetter morgen in Berlin', 'get_weather'),
        ('Wettervorhersage', 'get_weather'),
        ('Datei löschen', 'delete_file'),
        ('Text übersetzen', 'translate_text'),
        ('ein Hotelzimmer buchen', 'book_hotel'),
        ('criar um evento na agenda', 'create_event'),
        ('tradurre un testo', 'translate_text'),
        ('bestand verwijderen', 'delete_file'),
        ('погоду в Москве', 'get_weather'),
        ('найти статью', 'search_articles'),
        ('查询天气', 'get_weather'),
        ('翻译文本', 'translate_text'),
        ('天気予報を調べる', 'get_weather'),
        ('ファイルを削除する', 'delete_file'),
        ('मौसम का पूर्वानुमान', 'get_weather'),
        ('البحث عن رحلات جوية', 'search_flights'),
    ],
)
def test_everyday_words_of_other_languages_find_english_tools(query: str, tool: str) -> None:
    assert first(query) == tool


@pytest.mark.parametrize(
    'query',
    [
        'estoy libre el jueves',
        'suis-je libre jeudi',
        'wann bin ich frei',
        'estou livre hoje',
        'sono libero',
        'ben ik vrij',
        'свободен ли я',
        '我的空闲时间',
        'いつ空いていますか',
    ],
)
def test_whether_somebody_is_free_is_understood_in_other_languages(query: str) -> None:
    tools = [Document('find_availability', 'Free and busy times'), Document('books', 'Libros, livres'), *OFFICE]
    assert build_index('ranked', tools).search(query, limit=5)[0] == 'find_availability'


@pytest.mark.parametrize('query', ['de la', 'un', 'en el', 'der die das', 'je veux', 'の', 'и', 'по'])
def test_stop_words_of_other_languages_match_nothing(query: str) -> None:
    tools = [Document('user_un', 'de la un en el der die das je veux'), Document('other', 'Something')]
    assert build_index('ranked', [*OFFICE, *tools]).search(f'{query} vuelos flug рейс avion 航班', limit=1) != [
        'user_un'
    ]


def test_a_word_of_another_language_that_a_tool_says_counts_too() -> None:
    tools = [*OFFICE, Document('consulta_previa', 'Consulta de vuelos')]
    found = build_index('ranked', tools).search('consulta de vuelos', limit=5)
    assert set(found[:2]) == {'consulta_previa', 'search_flights'}


def test_english_words_stay_what_they_are() -> None:
    for query in ('map the users of a chart', 'den of the user', 'die if no file'):
        assert build_index('ranked', OFFICE).search(query, limit=5)[0] in {
            'create_chart',
            'delete_user',
            'delete_file',
            'list_files',
        }


def test_a_slip_is_not_taken_for_a_word_that_says_nothing() -> None:
    tools = [Document('get_weather', 'Weather of a place'), Document('a', 'whether whether'), Document('b', 'whether')]
    assert build_index('ranked', tools).search('wether', limit=5) == ['get_weather']


def test_verbs_that_do_the_same_count_as_one_however_rare_the_one_is_that_is_said() -> None:
    deletes = [Document(f'delete_{thing}') for thing in ('user', 'album', 'file', 'note', 'pod', 'row')]
    others = [Document(f'{verb}_album', 'The album') for verb in ('print', 'play', 'paint', 'rate', 'tag')]
    index = build_index('ranked', [*others, *deletes, *(Document(f'other_{number}') for number in range(30))])
    assert index.search('purge the album', limit=5)[0] == 'delete_album'
    assert index.search('erase the album', limit=5)[0] == 'delete_album'


MERGES = [
    Document('merge_pull_request', 'Merge a pull request by merging its branch'),
    Document('update_pull_request', 'Close, reopen or rename a pull request'),
    Document('send_slack_message', 'Send a Slack message over Slack'),
    Document('create_invoice', 'Write an invoice'),
    Document('invite_user', 'Create an invite'),
    Document('take_screenshot', 'Capture a page'),
    Document('sheet_data', 'シートのデータを取得'),
    Document('device_state', 'デバイスの状態を取得'),
    Document('stock_price', 'The price of a stock'),
]


@pytest.mark.parametrize(
    ('query', 'tool'),
    [
        ('creat invioce', 'create_invoice'),
        ('スクリーンショットを撮る', 'take_screenshot'),
        ('株価を取得する', 'stock_price'),
    ],
)
def test_what_is_meant_is_found_before_what_is_only_said(query: str, tool: str) -> None:
    assert build_index('ranked', MERGES).search(query, limit=5)[0] == tool
