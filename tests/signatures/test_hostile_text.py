"""The text of a tool is shown within bounds, and without invisible characters."""

import ast
import sys
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolscript_signatures import Catalog, ToolSpec, signature_from_schema, with_visible, without_invisible

_HIDDEN = [*'\u202e\u2066\u2069\u200b\u200f\ufeff\u00ad\u3164\U000e0041\ufe0f\x1b']
_SHOWN_FORMATS = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
"""Visible signs over numbers, although Unicode counts them as format characters."""


def _schema(text: str) -> dict[str, Any]:
    inner = {'type': 'object', 'description': text, 'properties': {text: {'type': 'string', 'description': text}}}
    properties = {
        text: inner,
        'plain': {'enum': [text, 'x'], 'default': text, 'examples': [text, 'other'], 'title': text, 'pattern': text},
    }
    return {'type': 'object', 'title': text, 'description': text, 'properties': properties, 'required': [text]}


@pytest.mark.parametrize('hidden', _HIDDEN)
def test_no_text_of_a_tool_contains_invisible_characters(hidden: str) -> None:
    text = f'Pay{hidden}the{hidden} bill'
    spec = ToolSpec(text, _schema(text), text, returns=_schema(text))
    function = next(iter(Catalog([spec])))
    texts = [function.render(detail) for detail in ('full', 'signature', 'brief')]
    plain = signature_from_schema(name=text, parameters_json_schema=_schema(text), description=text)
    for text in [*texts, function.render(whole=True), function.stub, function.signature, plain.signature]:
        assert hidden not in text
    for text in [*texts[:2], function.stub]:
        ast.parse(text)
    assert 'bill' in function.render()


def test_every_control_and_format_character_of_unicode_is_found() -> None:
    kinds = {'Cc', 'Cf', 'Cs', 'Zl', 'Zp'}
    hidden = [code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in kinds]
    seen = {code for code in hidden if with_visible(chr(code)) == chr(code)}
    assert seen == {*_SHOWN_FORMATS, *map(ord, '\t\n\r')}


@given(st.text())
def test_the_visible_form_is_the_same_text_in_python(text: str) -> None:
    shown = with_visible(text)
    assert without_invisible(shown) == shown
    if '\\' not in text:
        assert ast.literal_eval(repr(shown).replace('\\\\', '\\')) == text


_LONG = 'word ' * 20_000
_VALUES = [f'value-{number}' for number in range(10_000)]
_HUGE: list[tuple[dict[str, Any], str]] = [
    (
        {'type': 'object', 'properties': {'a': {'enum': _VALUES}}, 'required': ['a']},
        "one of 10,000 values, such as 'value-0'",
    ),
    ({'type': 'object', 'properties': {'a': {'type': 'string', 'description': _LONG}}}, 'characters]'),
    ({'type': 'object', 'properties': {f'p{n}': {'type': 'string'} for n in range(5_000)}}, '4,900 more fields'),
    ({'type': 'object', 'description': _LONG}, 'characters]'),
    (
        {
            'type': 'object',
            'properties': {
                f'p{n}': {'type': 'object', 'properties': {f'q{m}{"x" * 60}': {'type': 'string'} for m in range(90)}}
                for n in range(90)
            },
        },
        '',
    ),
    ({'type': 'object', 'properties': {'a': {'anyOf': [{'const': _LONG + str(n)} for n in range(50)]}}}, ''),
]


@pytest.mark.parametrize(('schema', 'named'), _HUGE)
def test_a_tool_has_bounds_and_omitted_parts_are_named(schema: dict[str, Any], named: str) -> None:
    spec = ToolSpec('huge', schema, _LONG, returns=schema)
    function = next(iter(Catalog([spec, ToolSpec('other', {})])))
    assert len(function.render()) < 25_000
    assert len(function.render('signature')) < 25_000
    assert len(function.render('brief')) < 300
    assert len(function.signature) < 25_000
    assert 'characters]' in function.render() or 'too long' in function.render()
    assert named in function.render() or 'too long' in function.render()
    assert _LONG.strip() in function.render(whole=True)
    ast.parse(function.render())


def test_a_value_that_is_not_shown_is_still_accepted() -> None:
    function = next(iter(Catalog([ToolSpec('huge', _HUGE[0][0])])))
    assert 'value-9999' not in function.render()
    assert 'a: str' in function.render('signature')
    assert 'value-9999' in function.stub
    assert function.arguments(['value-9999'], {}) == {'a': 'value-9999'}
