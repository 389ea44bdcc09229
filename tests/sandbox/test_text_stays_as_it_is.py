"""Where nothing is repaired, nothing of the text changes."""

import ast
import sysconfig
from pathlib import Path

import pytest

from tests.sandbox.tables import Table
from toolscript_sandbox.language.refusals import Refused
from toolscript_sandbox.transforms.preparation import prepared

LIBRARY = sorted(Path(sysconfig.get_paths()['stdlib']).glob('*.py'))


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
        snippet = prepared(text, Table())
    except Refused:
        return
    assert _texts(text) <= _texts(snippet.code)


def test_form_feeds_and_odd_line_ends_inside_strings_stay() -> None:
    text = "'''a\n\fb\x0b\x1c\u2028c'''"
    assert prepared(f'len({text})', Table()).code == "result_1 = len('a\\n\\x0cb\\x0b\\x1c\\u2028c')\nresult_1\n"
