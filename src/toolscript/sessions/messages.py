"""Messages to the model about persistent variables."""

import re
from collections.abc import Sequence

from toolscript_signatures import with_visible

from .session_store import Gone

COPY = (
    'Another run of this conversation is using the variables of earlier turns. This run works with a copy of them, '
    'and its changes are not stored.'
)
OVERTAKEN = (
    'Another run changed the variables of earlier turns while this script waited. Later turns find its variables; '
    'those of this run are not stored.'
)
NOT_KEPT = 'The variables could not be stored. Later turns find those that were stored before.'
ALL_TOO_LARGE = 'All variables are too large to be stored for later turns.'
WHY: dict[Gone, str] = {
    'expired': 'they have expired',
    'not trusted': 'the stored data is invalid',
    'another version': 'another version of the sandbox stored them',
}
_RESULT = re.compile(r'result_(\d{1,9}):')
_RESULTS = 5
_MOST = 50
_ROOM = 2_000


def there(variables: Sequence[str], run_code: str) -> str:
    """Return the existing variables in one line; empty if there are none."""
    if not variables:
        return ''
    shown, room = list[str](), _ROOM
    for variable in _named_first(variables)[:_MOST]:
        room -= len(variable)
        if room < 0:
            break
        shown.append(variable)
    more = [f'and {len(variables) - len(shown)} more'] if len(shown) < len(variables) else []
    return with_visible(f'Variables of earlier turns are set in {run_code}: {"; ".join([*shown, *more])}.')


def _named_first(variables: Sequence[str]) -> list[str]:
    """Return the variables that the model named, and the latest of the results that were named automatically."""
    numbers = {variable: int(found[1]) for variable in variables if (found := _RESULT.match(variable))}
    latest = sorted(numbers, key=lambda variable: -numbers[variable])[:_RESULTS]
    return [*(variable for variable in variables if variable not in numbers), *latest]


def gone(why: str) -> str:
    return f'The variables of earlier turns are gone: {why}. Set again what you need.'


def changed(line: str) -> str:
    now = line or 'There are no variables of earlier turns now.'
    return (
        f'Nothing was run: the variables of earlier turns changed while you wrote this script. {now} Write a '
        'script for these.'
    )


def too_large(things: Sequence[str]) -> str:
    names = '; '.join(things[:_MOST])
    return with_visible(f'Too large to be stored for later turns: {names}.')
