"""The words in which a transcript is told, as text and as a page."""

from collections.abc import Iterator

from toolscript.observability.script_calls import Decision
from toolscript_signatures import with_visible

from .transcript import (
    Answer,
    Called,
    Excerpt,
    NestedCall,
    Outcome,
    Ran,
    Shown,
    Tokens,
    Transcript,
    Turn,
)

_OUTCOMES: dict[Outcome, str] = {
    'success': 'result',
    'failed': 'failed',
    'denied': 'denied',
    'interrupted': 'interrupted',
    'retried': 'asked to try again',
}
_DECISIONS: dict[Decision | None, str] = {
    'approved': 'approved',
    'changed': 'approved with these other arguments',
    'denied': 'denied',
    'answered': 'answered from outside',
}
UNANSWERED = 'no answer in this history'


def visible(text: str) -> str:
    """Text with every character in it to be seen, as Python writes it; lines stay lines."""
    return with_visible(text.replace('\r\n', '\n').replace('\r', '\\r').expandtabs(4))


def one_line(text: str) -> str:
    """The same, on one line."""
    return visible(text).replace('\n', '\\n')


def run_words(told: Transcript) -> str:
    """How much a history holds."""
    return ' · '.join([_many(told.requests, 'request'), *_tokens(told.tokens)])


def turn_words(turn: Turn) -> str:
    """Who answered a request, and what it took."""
    if turn.model is None:
        return 'no response in this history'
    took = [] if turn.seconds is None else [duration(turn.seconds)]
    return ' · '.join([one_line(turn.model), *_tokens(turn.tokens), *took])


def time_words(turn: Turn) -> str:
    """When the request was made."""
    return '' if turn.at is None else turn.at.strftime('%Y-%m-%d %H:%M:%S %Z').strip()


def shown_words(shown: Shown) -> str:
    """What was shown, and how it differs from before."""
    return f'{one_line(shown.what)}, {shown.change}' if shown.change != 'new' else one_line(shown.what)


def caller_words(called: Called) -> str:
    """That a tool was called, and by whom."""
    name = one_line(called.tool_name)
    if called.arguments is None:
        return f'{name}, whose call is not in this history'
    return f'calls {name}, run by the provider' if called.by_provider else f'calls {name}'


def answer_words(answer: Answer) -> Iterator[tuple[str, Excerpt]]:
    """What a call gave, part by part, each with its name."""
    for name, text in answer.parts:
        yield (_OUTCOMES[answer.outcome] if name == 'result' else name.replace('_', ' ')), text


def pause_words(script: Ran) -> str:
    """That the script waited, or that nothing came of it; empty where there is nothing to say."""
    if not script.pauses:
        return UNANSWERED if script.answer is None else ''
    times = 'paused' if script.pauses == 1 else f'paused {script.pauses:,} times'
    if script.answer is None:
        return f'{times}, and waits'
    return f'{times}, and went on in a later run' if script.answer.later else times


def call_words(call: NestedCall) -> str:
    """The call as code."""
    arguments = ', '.join(_argument(name, excerpt) for name, excerpt in call.arguments)
    return f'{one_line(call.function)}({arguments})'


def _argument(name: str, excerpt: Excerpt) -> str:
    # What fits no parameter has its place for a name.
    label = '' if name.isdecimal() else f'{one_line(name)}='
    return f'{label}{one_line(excerpt.text)}{more(excerpt)}'


def end_words(call: NestedCall) -> tuple[str, Excerpt]:
    """How a nested call ended, and what it gave or why it failed."""
    match call.status:
        case 'finished':
            return '→', call.result
        case 'failed':
            return 'failed:', call.error or Excerpt('', 0)
        case 'waiting':
            return 'waits', Excerpt('', 0)
        case 'not started':
            return 'never started', Excerpt('', 0)
        case 'running':
            return 'still ran when the script ended', Excerpt('', 0)


def note_words(call: NestedCall) -> str:
    """What else there is to say of a nested call."""
    notes = [
        '' if call.seconds is None else duration(call.seconds),
        'reused' if call.reused else '',
        'speculative' if call.speculative else '',
        _DECISIONS.get(call.decision, ''),
    ]
    return ', '.join(filter(None, notes))


def more(excerpt: Excerpt) -> str:
    """What is left out of a text; empty where nothing is."""
    return f' … {excerpt.left_out:,} more characters' if excerpt.left_out else ''


def duration(seconds: float) -> str:
    """A time that somebody waited."""
    return f'{seconds * 1000:,.0f} ms' if abs(seconds) < 1 else f'{seconds:,.1f} s'


def code_rows(script: Ran) -> list[str]:
    """The lines of its code."""
    return script.code.text.removesuffix('\n').split('\n')


def _tokens(tokens: Tokens) -> list[str]:
    """Nothing where nobody counted."""
    if not (tokens.input or tokens.output):
        return []
    cached = f' ({tokens.cached:,} cached)' if tokens.cached else ''
    return [f'{tokens.input:,} tokens in{cached}', f'{tokens.output:,} out']


def _many(number: int, what: str) -> str:
    return f'{number:,} {what}' if number == 1 else f'{number:,} {what}s'
