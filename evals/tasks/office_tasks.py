"""Tasks with the calendar and the mails."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from evals.tasks.task import Check, tasks_of
from evals.worlds.office import Event, Office, StoredMail


def _events(office: Office, email: str, day: str) -> list[Event]:
    return [event for event in office.events.values() if email in event['attendees'] and event['start'][:10] == day]


def _invoices(office: Office, *, unread: bool) -> list[StoredMail]:
    mails = [mail for mail in office.mails.values() if mail.subject.startswith('Invoice')]
    return [mail for mail in mails if mail.unread or not unread]


def _amount(mail: StoredMail) -> int:
    return int(re.findall(r'(\d+) EUR', mail.text)[0])


def _large(office: Office) -> list[int]:
    return sorted(mail.id for mail in _invoices(office, unread=True) if _amount(mail) > 500)


def _busy(office: Office) -> dict[str, int]:
    emails = [person['email'] for person in office.people if person['team'] == 'sales']
    return {email: sum(event['minutes'] for event in _events(office, email, '2026-03-03')) for email in emails}


def _free_at(office: Office, minutes_from: int, length: int, emails: list[str], day: str) -> bool:
    return all(
        minutes_from + length <= _minute(event['start']) or _minute(event['start']) + event['minutes'] <= minutes_from
        for email in emails
        for event in _events(office, email, day)
    )


def _minute(start: str) -> int:
    return int(start[11:13]) * 60 + int(start[14:16])


_THREE = ['clara.moser@office.example', 'elif.demir@office.example', 'lena.novak@office.example']


def _common_slot(office: Office) -> str:
    for start in range(9 * 60, 17 * 60 - 30 + 1, 30):
        if _free_at(office, start, 30, _THREE, '2026-03-05'):
            return f'2026-03-05T{start // 60:02}:{start % 60:02}'
    raise AssertionError('nobody has time')


def _interviews(office: Office) -> list[int]:
    return sorted(
        event['id'] for event in _events(office, 'jun.sato@office.example', '2026-03-05') if event['minutes'] == 30
    )


def _newsletters(office: Office) -> Iterator[int]:
    return (mail.id for mail in office.mails.values() if mail.subject.startswith('Newsletter') and mail.unread)


def _without(office: Office, numbers: list[int]) -> dict[str, Any]:
    kept = {number: event for number, event in office.events.items() if number not in numbers}
    return replace(office, events=kept).snapshot()


def _with_meeting(
    office: Office, title: str, start: str, minutes: int, attendees: list[str], room: str | None = None
) -> dict[str, Any]:
    event = Event(id=0, title=title, start=start, minutes=minutes, attendees=attendees, room=room)
    return replace(office, events={**office.events, 0: event}).snapshot()


def _with_mails(office: Office, changes: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    changed = {number: replace(office.mails[number], **fields) for number, fields in changes.items()}
    return replace(office, mails=office.mails | changed).snapshot()


def _later(office: Office) -> Office:
    moved: Event = {**office.events[7], 'start': '2026-03-06T17:00'}
    return replace(office, events={**office.events, 7: moved})


CHECKS: dict[str, Check] = {
    'office-team': Check(lambda office: [person['name'] for person in office.people if person['team'] == 'platform']),
    'office-send': Check(
        lambda office: True,
        lambda office: {
            **office.snapshot(),
            'sent': [{'to': 'gwen.price@office.example', 'subject': 'Lunch', 'text': 'At noon?'}],
        },
    ),
    'office-agenda': Check(
        lambda office: sum(event['minutes'] for event in _events(office, 'henrik.dahl@office.example', '2026-03-02'))
    ),
    'office-book': Check(
        lambda office: 'Dogwood',
        lambda office: _with_meeting(
            office,
            'Offer',
            '2026-03-06T16:00',
            60,
            ['elif.demir@office.example', 'karl.weiss@office.example'],
            'Dogwood',
        ),
    ),
    'office-busiest': Check(_busy),
    'office-week': Check(
        lambda office: {
            f'2026-03-0{day}': len(_events(office, 'ivana.petrov@office.example', f'2026-03-0{day}'))
            for day in range(2, 7)
        }
    ),
    'office-invoices-sum': Check(
        lambda office: {
            'mails': len(_invoices(office, unread=False)),
            'sum': sum(map(_amount, _invoices(office, unread=False))),
        }
    ),
    'office-label-large': Check(
        _large, lambda office: _with_mails(office, {number: {'labels': ('large',)} for number in _large(office)})
    ),
    'office-common-slot': Check(
        _common_slot, lambda office: _with_meeting(office, 'Sync', _common_slot(office), 30, _THREE)
    ),
    'office-wrong-address': Check(
        lambda office: ['boris.lind@office.example', 'clara.moser@office.example'],
        lambda office: _with_meeting(
            office, 'Kickoff', '2026-03-06T09:00', 30, ['boris.lind@office.example', 'clara.moser@office.example']
        ),
    ),
    'office-cancel-interviews': Check(
        _interviews, lambda office: _without(office, _interviews(office)), decisions={'cancel_event': True}
    ),
    'office-delete-newsletters': Check(
        lambda office: {'deleted': 0, 'archived': len(list(_newsletters(office)))},
        lambda office: _with_mails(office, {number: {'folder': 'archive'} for number in _newsletters(office)}),
        decisions={'delete_mail': False},
    ),
    'office-later': Check(
        lambda office: len(_later(office).free_slots('anna.berg@office.example', '2026-03-06')),
        lambda office: _later(office).snapshot(),
    ),
    'office-free-room': Check(
        lambda office: office.room_is_free('Elm', '2026-03-06T16:00', 60),
        lambda office: {
            **office.snapshot(),
            'sent': [{'to': 'gwen.price@office.example', 'subject': 'Room', 'text': 'Asked.'}],
        },
    ),
}

TASKS = tasks_of('office', CHECKS)
