"""Tasks with the calendar and the mails."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from evals.tasks.task import Task
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
    """The office without these meetings."""
    kept = {number: event for number, event in office.events.items() if number not in numbers}
    return replace(office, events=kept).snapshot()


def _with_meeting(
    office: Office, title: str, start: str, minutes: int, attendees: list[str], room: str | None = None
) -> dict[str, Any]:
    """The office with one more meeting."""
    event = Event(id=0, title=title, start=start, minutes=minutes, attendees=attendees, room=room)
    return replace(office, events={**office.events, 0: event}).snapshot()


def _with_mails(office: Office, changes: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    """The office with these fields of mails changed."""
    changed = {number: replace(office.mails[number], **fields) for number, fields in changes.items()}
    return replace(office, mails=office.mails | changed).snapshot()


TASKS = [
    Task(
        name='office-team',
        kind='one call',
        world='office',
        ask='Who is in the team platform? Answer with a JSON list of names.',
        plan="""\
people = await list_people(team='platform')
[person['name'] for person in people]
""",
        answer=lambda office: [person['name'] for person in office.people if person['team'] == 'platform'],
    ),
    Task(
        name='office-send',
        kind='one call',
        world='office',
        ask=(
            "Send a mail with the subject 'Lunch' and the text 'At noon?' to gwen.price@office.example. Answer with"
            ' true once it is sent.'
        ),
        plan="await send_mail(to='gwen.price@office.example', subject='Lunch', text='At noon?')\n",
        answer=lambda office: True,
        leaves=lambda office: {
            **office.snapshot(),
            'sent': [{'to': 'gwen.price@office.example', 'subject': 'Lunch', 'text': 'At noon?'}],
        },
    ),
    Task(
        name='office-agenda',
        kind='chain',
        world='office',
        ask=(
            'How many minutes is Henrik in meetings on 2026-03-02? Find out his email address first. Answer with the'
            ' number.'
        ),
        plan="""\
person = await find_person(name='Henrik')
events = await list_events(email=person['email'], day='2026-03-02')
sum([event['minutes'] for event in events])
""",
        answer=lambda office: sum(
            event['minutes'] for event in _events(office, 'henrik.dahl@office.example', '2026-03-02')
        ),
    ),
    Task(
        name='office-book',
        kind='chain',
        world='office',
        ask=(
            "Put a meeting 'Offer' of 60 minutes at 2026-03-06T16:00 into the calendars of Elif and Karl and book the"
            ' smallest room with at least 10 seats for it. Answer with the name of the room, a JSON string.'
        ),
        plan="""\
import asyncio
elif_, karl, rooms = await asyncio.gather(find_person(name='Elif'), find_person(name='Karl'), list_rooms(min_seats=10))
smallest = sorted(rooms, key=lambda room: room['seats'])[0]
event = await create_event(
    title='Offer', start='2026-03-06T16:00', minutes=60, attendees=[elif_['email'], karl['email']]
)
booked = await book_room(event_id=event['id'], room=smallest['name'])
booked['room']
""",
        answer=lambda office: 'Dogwood',
        leaves=lambda office: _with_meeting(
            office,
            'Offer',
            '2026-03-06T16:00',
            60,
            ['elif.demir@office.example', 'karl.weiss@office.example'],
            'Dogwood',
        ),
    ),
    Task(
        name='office-busiest',
        kind='fan-out',
        world='office',
        ask=(
            'How many minutes of meetings does each member of the team sales have on 2026-03-03? Answer with a JSON'
            ' object from email address to minutes.'
        ),
        plan="""\
import asyncio
people = await list_people(team='sales')
calendars = await asyncio.gather(*[list_events(email=person['email'], day='2026-03-03') for person in people])
{
    person['email']: sum([event['minutes'] for event in events])
    for person, events in zip(people, calendars)
}
""",
        answer=_busy,
    ),
    Task(
        name='office-week',
        kind='fan-out',
        world='office',
        ask=(
            'How many meetings has Ivana (ivana.petrov@office.example) on each day from 2026-03-02 to 2026-03-06?'
            ' Answer with a JSON object from day to number.'
        ),
        plan="""\
import asyncio
days = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06']
calendars = await asyncio.gather(*[list_events(email='ivana.petrov@office.example', day=day) for day in days])
{day: len(events) for day, events in zip(days, calendars)}
""",
        answer=lambda office: {
            f'2026-03-0{day}': len(_events(office, 'ivana.petrov@office.example', f'2026-03-0{day}'))
            for day in range(2, 7)
        },
    ),
    Task(
        name='office-invoices-sum',
        kind='aggregate',
        world='office',
        ask=(
            'What is the sum of the amounts due in all mails of the inbox whose subject starts with "Invoice"? Answer'
            ' with JSON: {"mails": how many, "sum": number}.'
        ),
        plan="""\
import asyncio, re
heads = []
page = await list_mails()
heads += page['mails']
while page['next_page'] is not None:
    page = await list_mails(page=page['next_page'])
    heads += page['mails']
wanted = [head for head in heads if head['subject'].startswith('Invoice')]
mails = await asyncio.gather(*[read_mail(mail_id=head['id']) for head in wanted])
amounts = [int(re.findall(r'(\\d+) EUR', mail['text'])[0]) for mail in mails]
{'mails': len(amounts), 'sum': sum(amounts)}
""",
        answer=lambda office: {
            'mails': len(_invoices(office, unread=False)),
            'sum': sum(map(_amount, _invoices(office, unread=False))),
        },
    ),
    Task(
        name='office-label-large',
        kind='loop',
        world='office',
        ask=(
            'Put the label "large" on every unread mail of the inbox whose subject starts with "Invoice" and whose'
            ' amount due is above 500 EUR. Answer with a JSON list of the numbers of these mails.'
        ),
        plan="""\
import asyncio, re
heads = []
page = await list_mails(unread_only=True)
heads += page['mails']
while page['next_page'] is not None:
    page = await list_mails(unread_only=True, page=page['next_page'])
    heads += page['mails']
wanted = sorted([head['id'] for head in heads if head['subject'].startswith('Invoice')])
mails = await asyncio.gather(*[read_mail(mail_id=number) for number in wanted])
large = [mail['id'] for mail in mails if int(re.findall(r'(\\d+) EUR', mail['text'])[0]) > 500]
await asyncio.gather(*[label_mail(mail_id=number, label='large') for number in large])
large
""",
        answer=_large,
        leaves=lambda office: _with_mails(office, {number: {'labels': ('large',)} for number in _large(office)}),
    ),
    Task(
        name='office-common-slot',
        kind='loop',
        world='office',
        ask=(
            'Find the first time on 2026-03-05, on the full or half hour from 9:00, at which Clara, Elif and Lena are'
            " all free for 30 minutes before 17:00, and put a meeting 'Sync' there for the three. Answer with the"
            ' start, a JSON string like "2026-03-05T09:00".'
        ),
        plan="""\
import asyncio
emails = ['clara.moser@office.example', 'elif.demir@office.example', 'lena.novak@office.example']
calendars = await asyncio.gather(*[list_events(email=email, day='2026-03-05') for email in emails])
busy = []
for events in calendars:
    for event in events:
        begin = int(event['start'][11:13]) * 60 + int(event['start'][14:16])
        busy.append((begin, begin + event['minutes']))
chosen = ''
for start in range(9 * 60, 16 * 60 + 31, 30):
    if all([start + 30 <= begin or end <= start for begin, end in busy]):
        chosen = f'2026-03-05T{start // 60:02}:{start % 60:02}'
        break
await create_event(title='Sync', start=chosen, minutes=30, attendees=emails)
chosen
""",
        answer=_common_slot,
        leaves=lambda office: _with_meeting(office, 'Sync', _common_slot(office), 30, _THREE),
    ),
    Task(
        name='office-wrong-address',
        kind='recovery',
        world='office',
        ask=(
            "Put a meeting 'Kickoff' of 30 minutes at 2026-03-06T09:00 into the calendars of"
            ' boris.lind@office.example and clara@office.example. If an address is unknown, look the person up by'
            ' first name and try again. Answer with a JSON list of the two email addresses.'
        ),
        plan="""\
attendees = ['boris.lind@office.example', 'clara@office.example']
try:
    event = await create_event(title='Kickoff', start='2026-03-06T09:00', minutes=30, attendees=attendees)
except Exception:
    clara = await find_person(name='Clara')
    attendees = ['boris.lind@office.example', clara['email']]
    event = await create_event(title='Kickoff', start='2026-03-06T09:00', minutes=30, attendees=attendees)
event['attendees']
""",
        answer=lambda office: ['boris.lind@office.example', 'clara.moser@office.example'],
        leaves=lambda office: _with_meeting(
            office,
            'Kickoff',
            '2026-03-06T09:00',
            30,
            ['boris.lind@office.example', 'clara.moser@office.example'],
        ),
    ),
    Task(
        name='office-cancel-interviews',
        kind='approval',
        world='office',
        ask=(
            'Cancel all meetings of 30 minutes that Jun (jun.sato@office.example) has on 2026-03-05. Answer with a'
            ' JSON list of the numbers of the cancelled meetings.'
        ),
        plan="""\
import asyncio
events = await list_events(email='jun.sato@office.example', day='2026-03-05')
short = [event['id'] for event in events if event['minutes'] == 30]
await asyncio.gather(*[cancel_event(event_id=number) for number in short])
short
""",
        answer=_interviews,
        leaves=lambda office: _without(office, _interviews(office)),
        decisions={'cancel_event': True},
    ),
    Task(
        name='office-delete-newsletters',
        kind='approval',
        world='office',
        ask=(
            'Delete the unread mails of the inbox whose subject starts with "Newsletter", and if that is not allowed,'
            ' archive them instead. Answer with JSON: {"deleted": how many, "archived": how many}.'
        ),
        plan="""\
import asyncio
heads = []
page = await list_mails(unread_only=True)
heads += page['mails']
while page['next_page'] is not None:
    page = await list_mails(unread_only=True, page=page['next_page'])
    heads += page['mails']
wanted = [head['id'] for head in heads if head['subject'].startswith('Newsletter')]

async def dispose(number):
    try:
        await delete_mail(mail_id=number)
        return 'deleted'
    except Exception:
        await archive_mail(mail_id=number)
        return 'archived'

done = await asyncio.gather(*[dispose(number) for number in wanted])
{'deleted': done.count('deleted'), 'archived': done.count('archived')}
""",
        answer=lambda office: {'deleted': 0, 'archived': len(list(_newsletters(office)))},
        leaves=lambda office: _with_mails(office, {number: {'folder': 'archive'} for number in _newsletters(office)}),
        decisions={'delete_mail': False},
    ),
]
