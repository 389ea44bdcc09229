"""A run as a page that a browser shows without anything else."""

from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path

from .reader import History, transcript_of
from .transcript import (
    Answer,
    Called,
    Entry,
    Excerpt,
    LeftOut,
    NestedCall,
    Ran,
    Said,
    Shown,
    Transcript,
    Turn,
)
from .wording import (
    UNANSWERED,
    answer_words,
    call_words,
    caller_words,
    code_rows,
    end_words,
    more,
    note_words,
    one_line,
    pause_words,
    run_words,
    shown_words,
    time_words,
    turn_words,
    visible,
)

STYLE = (Path(__file__).parent / 'page.css').read_text(encoding='utf-8')
"""The style sheet of what `render_fragment` gives. It speaks of nothing outside of it."""

_PAGE_STYLE = 'body { margin: 0; } @media (prefers-color-scheme: dark) { body { background: #14171d; } }\n' + STYLE
_ONE_LINE = 120
"""What a nested call gave is beside it up to so many characters, otherwise below it."""


def render_html(history: History, *, title: str = 'A run') -> str:
    """A run as one page: the same as `render_text` tells, with more of it.

    The page needs neither scripts nor anything from elsewhere, and forbids both to what is in it. It follows the
    reader's light or dark mode, and fits a phone.

    Args:
        history: `result.all_messages()`, or the JSON of `result.all_messages_json()`.
        title: What it says in the heading and in the browser's tab.

    Raises:
        ValueError: The JSON is not that of a message history.
    """
    digest = b64encode(sha256(_PAGE_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{_line(title)}</title>'
        f'<style>{_PAGE_STYLE}</style></head>\n<body>'
        f'{_article(transcript_of(history), f"<h1>{_line(title)}</h1>")}</body></html>\n'
    )


def render_fragment(history: History) -> str:
    """The same as an element for a page of your own, which needs `STYLE` too.

    Args:
        history: `result.all_messages()`, or the JSON of `result.all_messages_json()`.

    Raises:
        ValueError: The JSON is not that of a message history.
    """
    return _article(transcript_of(history), '')


def _article(told: Transcript, heading: str) -> str:
    parts = list[str]()
    before = 0
    for turn in told.turns:
        if turn.number > before + 1:
            parts.append(f'<p class="dim">{turn.number - before - 1:,} requests are left out here.</p>\n')
        before = turn.number
        parts.append(_turn(turn))
    words = f'<p class="dim">{escape(run_words(told))}</p>\n'
    return f'<article class="toolscript-run">{heading}{words}{"".join(parts)}</article>'


def _turn(turn: Turn) -> str:
    run = f'Run {turn.run}, request' if turn.run > 1 else 'Request'
    when = f' <time class="dim">{escape(time_words(turn))}</time>' if turn.at else ''
    return (
        f'<section><h2>{run} {turn.number}{when}</h2>\n{"".join(map(_entry, turn.request))}'
        f'<p class="dim">{escape(turn_words(turn))}</p>\n{"".join(map(_entry, turn.response))}</section>\n'
    )


def _entry(entry: Entry) -> str:
    match entry:
        case Said(speaker='thinking' | 'instructions' | 'system'):
            return _folded(entry.speaker, entry.speaker, entry.text)
        case Said():
            return _box(entry.speaker, entry.speaker, _pre(entry.text))
        case Shown():
            # A change is why somebody looks; the whole catalog is in the way.
            return _folded('shown', shown_words(entry), entry.text, opened=entry.change == 'changed')
        case Called():
            arguments = '' if entry.arguments is None else _pre(entry.arguments)
            return _box('called', escape(caller_words(entry)), arguments + _answer(entry.answer))
        case Ran():
            return _script(entry)
        case LeftOut():
            return f'<p class="dim">… {_line(entry.what)}</p>\n'


def _script(script: Ran) -> str:
    rows = ''.join(f'<span>{_visible(row)}</span>\n' for row in code_rows(script))
    options = f' <span class="dim">{_line(script.options.text)}</span>' if script.options.text else ''
    calls = ''.join(map(_nested, script.calls))
    over = f'<li class="dim">… {script.more_calls:,} more calls</li>' if script.more_calls else ''
    pause = f'<p class="pause">{escape(words)}</p>' if (words := pause_words(script)) else ''
    return _box(
        'script',
        f'writes {_line(script.tool_name)}{options}',
        f'<pre class="code">{rows}{_more(script.code)}</pre>'
        f'{f"<ol>{calls}{over}</ol>" if calls else ""}{pause}{_answer(script.answer) if script.answer else ""}',
    )


def _nested(call: NestedCall) -> str:
    line = '' if call.line is None else f'<span class="dim">line {call.line}</span> '
    word, gave = end_words(call)
    notes = f' <span class="dim">{escape(words)}</span>' if (words := note_words(call)) else ''
    head = f'{line}<code>{escape(call_words(call))}</code> {escape(word)} '
    if gave.chars <= _ONE_LINE and '\n' not in gave.text:
        return f'<li class="{call.status}">{head}<code>{_line(gave.text)}</code>{notes}</li>\n'
    size = f'<span class="dim">{gave.chars:,} characters</span>'
    return f'<li class="{call.status}"><details><summary>{head}{size}{notes}</summary>{_pre(gave)}</details></li>\n'


def _answer(answer: Answer | None) -> str:
    if answer is None:
        return f'<p class="pause">{UNANSWERED}</p>'
    parts = [f'<dt>{_line(name)}</dt><dd>{_pre(text)}</dd>' for name, text in answer_words(answer)]
    return f'<dl class="{answer.outcome}">{"".join(parts)}</dl>'


def _folded(kind: str, label: str, text: Excerpt, *, opened: bool = False) -> str:
    size = f'<span class="dim">{text.chars:,} characters</span>'
    state = ' open' if opened else ''
    return f'<details class="box {kind}"{state}><summary>{escape(label)} {size}</summary>{_pre(text)}</details>\n'


def _box(kind: str, label: str, inside: str) -> str:
    return f'<div class="box {kind}"><div class="label">{label}</div>{inside}</div>\n'


def _pre(excerpt: Excerpt) -> str:
    return f'<pre>{_visible(excerpt.text)}{_more(excerpt)}</pre>'


def _more(excerpt: Excerpt) -> str:
    return f'<span class="dim">{more(excerpt)}</span>' if excerpt.left_out else ''


def _visible(text: str) -> str:
    return escape(visible(text))


def _line(text: str) -> str:
    return escape(one_line(text))
