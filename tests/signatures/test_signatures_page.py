import contextlib
import io
import re
from pathlib import Path
from typing import Any

_PAGE = Path(__file__).parents[2] / 'docs' / 'signatures.md'


def test_the_first_example_of_the_page_prints_the_second() -> None:
    code, shown = re.findall(r'```(?:python|text)\n(.*?)```', _PAGE.read_text(), re.DOTALL)[:2]
    namespace: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, namespace)
    assert printed.getvalue() == shown
    arguments = namespace['catalog'].of('search-books').arguments(['Emma'], {'x_lang': 'en'})
    assert arguments == {'title': 'Emma', 'x-lang': 'en'}
    assert f'`{arguments!r}`' in _PAGE.read_text()
