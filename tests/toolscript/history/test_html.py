"""A run as a page is one file that shows what happened, and in which nothing is executed."""

import re
import shutil
import subprocess
from base64 import b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pydantic_ai import ModelRequest, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.messages import ModelMessage, SystemPromptPart, ThinkingPart, ToolReturnPart, UserPromptPart

from tests.sampling import sampled
from tests.toolscript.history.shop import run
from tests.toolscript.scripted import call, run_code, search
from toolscript.history import STYLE, RecordTools, render_fragment, render_html, render_text

EVIL = """</pre></article><script>document.title = 'taken'</script><img src=x onerror="document.title='taken'">\
<a href='javascript:1'>&amp; "quotes" ]]> -->\x1b[31m\u202ehidden\u200b\U000e0041\ud800"""
HIDDEN = {'\x1b': r'\x1b', '\u202e': r'\u202e', '\u200b': r'\u200b', '\U000e0041': r'\U000e0041', '\ud800': r'\ud800'}
SEEN = EVIL.translate(str.maketrans(HIDDEN))

TAGS = {
    *('html', 'head', 'meta', 'title', 'style', 'body', 'article', 'section', 'h1', 'h2', 'p', 'div', 'pre', 'code'),
    *('span', 'ol', 'li', 'dl', 'dt', 'dd', 'details', 'summary', 'time'),
}
ATTRIBUTES = {'class', 'open', 'lang', 'charset', 'name', 'content', 'http-equiv'}


@dataclass
class Page(HTMLParser):
    """A page as its parser reads it."""

    texts: list[str] = field(default_factory=list[str])
    attributes: set[str] = field(default_factory=set[str])
    tags: set[str] = field(default_factory=set[str])
    opened: list[str] = field(default_factory=list[str])
    crooked: list[str] = field(default_factory=list[str])
    policy: str = ''
    style: str = ''

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if ('http-equiv', 'Content-Security-Policy') in attrs:
            self.policy = str(dict(attrs)['content'])
        if tag != 'meta':
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.opened.pop() != tag:
            self.crooked.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self.opened[-1:] == ['style']:
            self.style += data

    @property
    def text(self) -> str:
        return ''.join(self.texts)


def parsed(html: str) -> Page:
    page = Page()
    page.feed(html)
    page.close()
    return page


def hostile() -> list[ModelMessage]:
    """Return a history with hostile text in every foreign place."""
    calls = [
        {
            'tool_call_id': 'c1__1',
            'tool_name': EVIL,
            'function': EVIL,
            'status': status,
            'arguments': {EVIL: EVIL},
            'result': EVIL,
            'error': EVIL,
        }
        for status in ('finished', 'failed')
    ]
    return [
        ModelRequest([SystemPromptPart(EVIL), UserPromptPart(EVIL)], instructions=EVIL),
        ModelResponse(
            [
                ThinkingPart(EVIL),
                TextPart(EVIL),
                ToolCallPart('run_code', {'code': EVIL, EVIL: EVIL}, 'c1'),
                ToolCallPart(EVIL, {EVIL: EVIL}, EVIL),
            ],
            model_name=EVIL,
        ),
        ModelRequest(
            [
                ToolReturnPart(
                    'run_code', {'stdout': EVIL, 'result': {EVIL: EVIL}}, 'c1', metadata={'tool_calls': calls}
                ),
                ToolReturnPart(EVIL, EVIL, EVIL),
                UserPromptPart(EVIL),
            ],
            instructions=EVIL * 2,
            metadata={'toolscript_shown': {'new': {EVIL: EVIL}, 'gone': [EVIL, 1]}},
        ),
        ModelResponse([TextPart(EVIL)]),
    ]


def test_hostile_text_is_escaped() -> None:
    page = parsed(render_html(hostile(), title=EVIL))
    assert page.crooked == page.opened == []
    assert page.tags <= TAGS
    assert page.attributes <= ATTRIBUTES
    assert page.text.count(SEEN) > 20
    # No invisible text remains.
    assert page.text == page.text.encode('utf-8', 'replace').decode()
    assert all(text.isprintable() for text in page.text.split('\n'))


def test_the_policy_of_the_page_allows_only_its_own_style() -> None:
    page = parsed(render_html([]))
    digest = b64encode(sha256(page.style.encode()).digest()).decode()
    assert page.policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert re.findall(r'url\(|@import|https?:', page.style) == []


async def test_the_page_has_the_same_content_as_the_text() -> None:
    code = "print('hi')\nawait price('tea')\nbig = await rows(50)\ntry:\n    await price('moon')\nexcept Exception:\n    pass\nbig"
    messages = await run(run_code(code), search('guarantee'), call('look', at='door'), capabilities=[RecordTools()])
    html = render_html(messages, title='Tuesday')
    shown = ' '.join(parsed(html).text.split())
    for reported in (
        'Tuesday',
        'Request 1',
        'What does tea cost?',
        "await price('tea')",
        "price(article='tea')",
        'not for sale',
    ):
        assert reported in shown
    words = [word for line in render_text(messages, width=10_000).splitlines() for word in re.findall(r'\w{4,}', line)]
    missing = {word for word in words if word not in shown} - {'more'}
    assert missing == set()


async def test_a_fragment_is_one_element_for_another_page() -> None:
    messages = await run(run_code("await price('tea')"))
    fragment = parsed(render_fragment(messages))
    assert fragment.tags.isdisjoint({'html', 'body', 'style', 'h1'})
    assert render_fragment(messages).startswith('<article class="toolscript-run">')
    # Its style affects nothing around it.
    selectors = re.findall(r'^\s*([^@{}\n][^{}]*)\{', re.sub(r'@media[^{]*\{', '', STYLE), re.MULTILINE)
    assert selectors
    assert all(one.strip().startswith('.toolscript-run') for each in selectors for one in each.split(','))


def test_a_browser_executes_nothing_on_the_page(tmp_path: Path) -> None:
    file = tmp_path / 'run.html'
    file.write_text(render_html(hostile(), title='A run'), encoding='utf-8')
    dom = browsed('--dump-dom', '--virtual-time-budget=2000', file.as_uri())
    assert '<title>A run</title>' in dom
    assert '<script' not in dom
    assert '<img' not in dom


@pytest.mark.parametrize('width', sampled([320, 390, 1280], 1))
def test_nothing_is_wider_than_a_phone_or_a_desktop(width: int, tmp_path: Path) -> None:
    long = [
        ModelRequest([UserPromptPart('x' * 3_000)]),
        ModelResponse([ToolCallPart('f' * 500, {'a': '買' * 500}, 'c')]),
    ]
    page = escape(render_html([*hostile(), *long], title='A' * 300))
    frame = tmp_path / 'frame.html'
    measure = 'setTimeout(() => { const page = this.contentDocument.documentElement; document.title = page.scrollWidth - page.clientWidth }, 500)'
    frame.write_text(
        f'<iframe style="border: 0; width: {width}px; height: 600px" srcdoc="{page}" onload="{measure}"></iframe>',
        encoding='utf-8',
    )
    dom = browsed('--dump-dom', '--virtual-time-budget=2000', frame.as_uri())
    assert '<title>0</title>' in dom


def browsed(*arguments: str) -> str:
    """Return the output of a headless browser."""
    names = ('chromium', 'chromium-browser', 'google-chrome', 'chrome')
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        pytest.skip('no Chromium on this machine')
    command = [browser, '--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=500, check=True).stdout
