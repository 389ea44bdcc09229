"""The operators of a query."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolscript.search import Algorithm, Document, QueryError, build_index

ALGORITHMS: list[Algorithm] = ['ranked', 'bm25', 'keywords', 'regex']

TOOLS = [
    Document('send_message', 'Send a message to a channel', server='slack'),
    Document('refund_payment', 'Give the money back', server='stripe', tags=('billing',)),
    Document('get_user', 'Look up one user by id.', {'properties': {'login': {'enum': ['admin', 'guest']}}}, 'github'),
    Document('list_pull_requests', 'List the pull requests', server='github'),
    Document('createPullRequest', 'Open a pull request', server='github'),
    Document('pull_image', 'Requests an image, then pulls it', server='docker'),
]


_SYNTAX = Path(__file__).with_name('query_syntax.txt').read_text()


def cases_of(kind: str) -> list[tuple[str, list[str]]]:
    """Return queries of one kind, and the names of the tools that they find."""
    return [(query, found.split()) for query, found in re.findall(f'^{kind}: (.*) -> ?(.*)$', _SYNTAX, re.MULTILINE)]


def ranked(query: str, limit: int = 5, offset: int = 0) -> list[str]:
    return build_index('ranked', TOOLS).search(query, limit=limit, offset=offset)


@pytest.mark.parametrize('algorithm', ALGORITHMS)
def test_select_takes_exact_names_in_their_order_without_a_limit(algorithm: Algorithm) -> None:
    index = build_index(algorithm, TOOLS)
    found = index.search('select: get_user,nothing,send_message,get_user, pull_image', limit=1)
    assert found == ['get_user', 'send_message', 'pull_image']


@pytest.mark.parametrize('algorithm', ALGORITHMS)
@pytest.mark.parametrize(('query', 'found'), cases_of('EVERY'))
def test_select_accepts_typos_and_spelling_variants(algorithm: Algorithm, query: str, found: list[str]) -> None:
    assert build_index(algorithm, TOOLS).search(query, limit=5) == found


@pytest.mark.parametrize('algorithm', ALGORITHMS)
def test_names_in_a_query_are_always_found_however_many(algorithm: Algorithm) -> None:
    index = build_index(algorithm, TOOLS)
    names = [tool.name for tool in TOOLS]
    assert index.search(' '.join(names), limit=2) == names
    assert index.search('`pull_image`, then "sendMessage"; refundpayment', limit=1) == [
        'pull_image', 'send_message', 'refund_payment',
    ]  # fmt: skip


@pytest.mark.parametrize('algorithm', ['keywords', 'ranked'])
def test_the_number_of_a_phone_is_not_required(algorithm: Algorithm) -> None:
    for number in ('+44 7700 900123', '+4477009001'):
        assert build_index(algorithm, TOOLS).search(f'message {number}', limit=5) == ['send_message']


def test_an_exact_name_ranks_first_and_takes_one_place() -> None:
    many = [*TOOLS, *(Document(f'pull_{n}', 'pull image pull image') for n in range(9)), Document('pull', 'pull')]
    index = build_index('ranked', many)
    assert index.search('use pull_image to pull an image', limit=3)[0] == 'pull_image'
    assert len(index.search('use pull_image to pull an image', limit=3)) == 3
    assert index.search('pull', limit=1) == ['pull']
    first, second = (index.search('pull_image pull', limit=4, offset=offset) for offset in (0, 4))
    assert not {*first} & {*second}


@pytest.mark.parametrize(('query', 'found'), cases_of('RANKED'))
def test_operators_and_words_find_the_documented_tools(query: str, found: list[str]) -> None:
    assert ranked(query) == found


def test_quotes_in_prose_and_question_marks_have_no_effect() -> None:
    request = 'could you please give this customer his money back, all that he paid us last week?'
    assert ranked(f'"{request}"') == ranked(request)
    assert ranked('Refund the payment of the customer named "pull image" today')[0] == 'refund_payment'
    assert ranked('"get_use?"') == ranked('"get_use"')
    assert ranked('+pull? image') == ranked('+pull image')


@pytest.mark.parametrize('algorithm', ALGORITHMS)
def test_a_required_word_excludes_tools_without_it(algorithm: Algorithm) -> None:
    assert build_index(algorithm, TOOLS).search('+pull image', limit=1) == ['pull_image']
    assert build_index(algorithm, TOOLS).search('+wombat image', limit=5) == []
    assert build_index(algorithm, TOOLS).search('+user wombat', limit=5) == ['get_user']


@pytest.mark.parametrize('algorithm', ALGORITHMS)
@pytest.mark.parametrize('query', ['', ' ', '\n\t'])
def test_a_blank_query_is_refused(algorithm: Algorithm, query: str) -> None:
    with pytest.raises(QueryError, match=r'^query is required$'):
        build_index(algorithm, TOOLS).search(query, limit=5)


@pytest.mark.parametrize('algorithm', ALGORITHMS)
def test_pages_follow_each_other_without_gap_or_repetition(algorithm: Algorithm) -> None:
    many = [Document(f'tool_{number}', 'weather ' * (number % 7 + 1)) for number in range(130)]
    index = build_index(algorithm, many)
    pages = [name for offset in range(0, 140, 20) for name in index.search('weather', limit=20, offset=offset)]
    assert pages == index.search('weather', limit=200)
    assert sorted(pages) == sorted(document.name for document in many)


@pytest.mark.parametrize('algorithm', ALGORITHMS)
@given(query=st.text(max_size=60), limit=st.integers(-2, 8), offset=st.integers(-2, 8))
def test_any_query_finds_known_tools_once_or_is_refused(
    algorithm: Algorithm, query: str, limit: int, offset: int
) -> None:
    index = build_index(algorithm, TOOLS)
    with suppress(QueryError):
        found = index.search(query, limit=limit, offset=offset)
        assert len(found) == len(set(found))
        assert {*found} <= {tool.name for tool in TOOLS}


@pytest.mark.parametrize('algorithm', ALGORITHMS)
def test_an_empty_catalog_finds_nothing(algorithm: Algorithm) -> None:
    assert build_index(algorithm, []).search('weather', limit=5) == []


@pytest.mark.parametrize('algorithm', ALGORITHMS)
def test_a_query_that_is_far_too_long_is_refused(algorithm: Algorithm) -> None:
    index = build_index(algorithm, [Document('get_user')])
    with pytest.raises(QueryError, match='say in a sentence or two what the tool should do'):
        index.search('user ' * 20_001, limit=5)


@pytest.mark.parametrize('operator', ['+{}', '-{}', '"{} b"', 'name:{}', 'server:{}'])
def test_repeated_operators_count_once_and_too_many_are_refused(operator: str) -> None:
    index = build_index('ranked', [Document('get_user')])
    index.search(' '.join([operator.format('a')] * 1_000), limit=5)
    with pytest.raises(QueryError, match='more than 30 operators; keep the most important ones'):
        index.search(' '.join(operator.format(f'a{n}') for n in range(31)), limit=5)
