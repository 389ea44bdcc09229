"""The scripted replacement for the model of `extract`: it answers the questions that scripts ask about texts."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

_MONTHS = ('', 'January', 'February', 'March', 'April', 'May', 'June')


def answer(value: object, question: str) -> Any:
    """Return the answer to a question that scripts ask, or an empty text if there is none."""
    text = value if isinstance(value, str) else str(value)
    return _ANSWERS[question](text)


def _first(*patterns: str) -> Callable[[str], str]:
    """Return a function that finds the group of the first matching pattern."""

    def find(text: str) -> str:
        found = (re.search(pattern, text) for pattern in patterns)
        return next((match[1] for match in found if match), '')

    return find


def _number(pattern: str) -> Callable[[str], float]:
    find = _first(pattern)
    return lambda text: float(find(text) or 0)


def _start(text: str) -> str:
    """Return the first day and hour that a mail names."""
    if match := re.search(r'on (\w+) (\d+)th (\d{4}) at (\d+) PM', text):
        month, day, year, hour = match.groups()
        return f'{datetime(int(year), _MONTHS.index(month), int(day), int(hour) + 12):%Y-%m-%d %H:%M}'
    # A mail of May 2024 names only the Saturday.
    match = re.search(r'at (\d+) AM on Saturday (\d+)th', text)
    return f'{datetime(2024, 5, int(match[2]), int(match[1])):%Y-%m-%d %H:%M}' if match else ''


def _meeting(text: str) -> str:
    match = re.search(r'next meeting for (\w+) (\d+), (\d{4})', text)
    return f'{datetime(int(match[3]), _MONTHS.index(match[1]), int(match[2])):%Y-%m-%d}' if match else ''


def _all(pattern: str) -> Callable[[str], Sequence[str]]:
    return lambda text: re.findall(pattern, text)


_ANSWERS: Mapping[str, Callable[[str], Any]] = {
    'When is the family reunion? YYYY-MM-DD HH:MM': _start,
    'Where is the family reunion?': _first(r'will be at (.+?) on '),
    'When is the hiking trip? YYYY-MM-DD HH:MM': _start,
    'Where is the hiking trip?': _first(r'meet at the (.+?) at '),
    'What is the security code?': _first(r'code is: (\d+)'),
    'What is the link to reset the password?': _first(r'\((https://techservices\S+)\)'),
    'Who attended from the client?': _first(r'from client: (.+)'),
    'When is the next meeting? YYYY-MM-DD': _meeting,
    'To which IBAN should it be paid?': _first(r'IBAN: (\w+)'),
    'What is the total?': _number(r'Total\s+([\d.]+)'),
    'By how much is the rent increased?': _number(r'increased by ([\d.]+\d)'),
    'What is the new street?': _first(r'\n([A-Z]\w+ Street \d+)'),
    'What is the new city?': _first(r'\n(New York)'),
    'What is the address of the page?': _first(r'(www\.[\w-]+\.com)'),
    'What is the e-mail address?': _first(r'([\w.]+@[\w.]+\w)'),
    'Which hobbies?': lambda text: ', '.join(re.findall(r'hobby is (\w+)', text)),
    'What kind of food do they serve?': _first(r'(traditional \w+ dishes[^.]*)'),
    'Who should be invited?': _first(r'invite (\w+)'),
    'To which channels?': _all(r"'(\w+)'"),
    'A summary': lambda text: text[:200],
    'Feedback': lambda text: f'I like it: {text[:40]}',
}
