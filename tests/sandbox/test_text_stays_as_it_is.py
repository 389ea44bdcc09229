"""Where nothing is repaired, nothing of the text changes."""

import ast
import sysconfig
from pathlib import Path

import pytest
from toolscript_sandbox.lowering.snippet import prepared

from toolscript_sandbox.contract.functions import Function
from toolscript_sandbox.language.refusals import Refused
from toolscript_sandbox.language.source import NEW_LINE, Edit, Source, line_of

LIBRARY = sorted(Path(sysconfig.get_paths()['stdlib']).glob('*.py'))


class Nothing(dict[str, Function]):
    def hint(self, name: str, /) -> str | None:
        """Nothing."""
        return None


def _texts(code: str) -> set[str]:
    constants = (node.value for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str) and '\n' in value}


@pytest.mark.parametrize('path', LIBRARY[::4], ids=lambda path: path.name)
def test_texts_in_the_standard_library_come_through_whole(path: Path) -> None:
    text = path.read_text('utf-8')
    try:
        ast.parse(text, feature_version=(3, 11))
    except SyntaxError:
        pytest.skip('written for newer Pythons than scripts are')
    try:
        snippet = prepared(text, Nothing(), frozenset(), {})
    except Refused:
        return
    assert _texts(text) <= _texts(snippet.code)


def test_form_feeds_and_odd_line_ends_inside_strings_stay() -> None:
    text = "'''a\n\fb\x0b\x1c\u2028c'''"
    assert prepared(f'len({text})', Nothing(), frozenset(), {}).code == f'result_1 = (len({text})); result_1'


@pytest.mark.parametrize('first', ['', 'x = 1\n', 'é = "日本"\n'])
def test_lines_keep_their_numbers_over_edits(first: str) -> None:
    source = Source(f'{first}a = (1,\n 2)\nb\nc')
    before = first.count('\n')
    start = source.text.index('b')
    edited = source.edited([Edit(start, start + 1, f'B{NEW_LINE}BB{line_of(1)}BBB')])
    assert edited.text == source.text.replace('b', 'B\nBB\nBBB')
    assert [edited.number(line) - before for line in range(before + 1, before + 7)] == [1, 2, 3, 3, 1 - before, 4]
    whole = source.edited([Edit(len(first), start - 1, 'z')])
    assert [whole.number(line) - before for line in range(before + 1, before + 4)] == [1, 3, 4]


def test_offsets_are_right_behind_wide_characters() -> None:
    source = Source("é = '日本'; b = '🙂'; c = b")
    last = source.tree.body[-1]
    assert source.segment(last) == 'c = b'
