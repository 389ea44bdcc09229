"""Words without their endings."""

from __future__ import annotations

from inline_snapshot import snapshot

from toolscript.search.terms import content_terms, stem, word_terms


def test_forms_of_a_word_share_a_stem() -> None:
    families = ['create created creating creates', 'payment payments', 'query queries', 'stop stopped stops']
    assert [len({stem(word) for word in family.split()}) for family in families] == [1, 1, 1, 1]


def test_plurals_participles_and_a_silent_e_are_taken_off() -> None:
    words = 'caresses ponies agreed plastered hopping filing happy sky troubled sized rate cease falls bring feed gas'
    assert ' '.join(stem(word) for word in words.split()) == snapshot(
        'caress poni agre plaster hop file happi sky troubl size rate ceas fall bring feed gas'
    )


def test_identifiers_become_their_parts_and_the_whole() -> None:
    assert {
        word: word_terms(word) for word in ['sendMessage', 'base64', 'HTMLParser', 'Users', '八字信息', '搜x']
    } == snapshot(
        {
            'sendMessage': ('send', 'messag', 'sendmessag'),
            'base64': ('base', '64', 'base64'),
            'HTMLParser': ('html', 'parser', 'htmlparser'),
            'Users': ('user',),
            '八字信息': ('八字', '字信', '信息'),
            '搜x': ('搜', 'x'),
        }
    )


def test_stop_words_tell_nothing() -> None:
    assert [content_terms(word) for word in ['the', 'Please', 'refund']] == snapshot([(), (), ('refund',)])
