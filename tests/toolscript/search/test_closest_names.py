"""The names that somebody may have meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from toolscript.search import closest_names

NAMES = [
    'get_user', 'list_users', 'refund_payment', 'list_payments', 'send_message', 'githubCreateIssue', 'delete_file',
    'get_weather', 'search.files',
]  # fmt: skip


@pytest.mark.parametrize(
    ('written', 'meant'),
    [
        ('getUser', 'get_user'),
        ('get_usr', 'get_user'),
        ('GET-USER', 'get_user'),
        ('create_refund', 'refund_payment'),
        ('send_slack_mesage', 'send_message'),
        ('github_create_issue', 'githubCreateIssue'),
        ('get_wheather', 'get_weather'),
        ('search_files', 'search.files'),
        ('remove_files', 'delete_file'),
    ],
)
def test_typos_other_spellings_and_guesses_find_the_name(written: str, meant: str) -> None:
    assert closest_names(written, NAMES)[0] == meant


def test_a_verb_in_common_is_not_enough() -> None:
    assert closest_names('get_horoscope', NAMES) == []


def test_no_more_than_the_limit_are_named() -> None:
    assert closest_names('user', NAMES, limit=1) == snapshot(['get_user'])
    assert closest_names('user', NAMES, limit=2) == snapshot(['get_user', 'list_users'])


@pytest.mark.parametrize('written', ['getUser', 'create_refund', 'get_wheather'])
def test_among_thousands_the_same_name_is_found(written: str) -> None:
    crowd = [
        f'{verb}_{noun}{number}' for verb in ('get', 'set') for noun in ('alpha', 'beta') for number in range(2500)
    ]
    assert closest_names(written, NAMES + crowd)[0] == closest_names(written, NAMES)[0]


@given(st.text(max_size=20), st.sets(st.text(max_size=12), max_size=80))
def test_only_given_names_are_answered_and_an_exact_one_comes_first(written: str, names: set[str]) -> None:
    found = closest_names(written, names)
    assert set(found) <= names
    assert len(found) == len(set(found)) <= 3
    if written in names and any(char.isalnum() for char in written):
        assert found[0] == written
