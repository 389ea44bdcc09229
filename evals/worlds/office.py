"""A calendar and mail service that stores the changes made to it."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random

from pydantic_ai import ModelRetry
from typing_extensions import TypedDict

from evals.worlds.world import Service

MONDAY = datetime(2026, 3, 2)
"""The first day of the week in the calendar."""
PAGE_SIZE = 20


class Person(TypedDict):
    """Somebody in the office."""

    name: str
    email: str
    team: str


class Event(TypedDict):
    """A meeting."""

    id: int
    title: str
    start: str
    """As 2026-03-02T09:30."""
    minutes: int
    attendees: list[str]
    """Email addresses."""
    room: str | None


class Slot(TypedDict):
    """A time in which somebody has no meeting."""

    start: str
    minutes: int


class Room(TypedDict):
    """A place to meet."""

    name: str
    seats: int


class MailHead(TypedDict):
    """A mail without its text."""

    id: int
    sender: str
    subject: str
    unread: bool


class MailPage(TypedDict):
    """Some of the mails of a folder, newest first."""

    mails: list[MailHead]
    next_page: int | None


class Mail(TypedDict):
    """A whole mail."""

    id: int
    sender: str
    subject: str
    text: str
    labels: list[str]


@dataclass(frozen=True)
class StoredMail:
    """A mail as the service stores it."""

    id: int
    sender: str
    subject: str
    text: str
    unread: bool
    folder: str = 'inbox'
    labels: tuple[str, ...] = ()


@dataclass
class Office(Service):
    people: list[Person]
    events: dict[int, Event]
    mails: dict[int, StoredMail]
    rooms: list[Room]
    sent: list[dict[str, str]] = field(default_factory=list[dict[str, str]])

    careful = ('cancel_event', 'delete_mail')

    def list_people(self, team: str | None = None) -> list[Person]:
        """List everybody in the office, or in one team."""
        return [person for person in self.people if team in (None, person['team'])]

    def find_person(self, name: str) -> Person:
        """Find a person by a part of their name."""
        for person in self.people:
            if name.casefold() in person['name'].casefold():
                return person
        raise ModelRetry(f'There is nobody called {name!r}.')

    def list_events(self, email: str, day: str) -> list[Event]:
        """List the meetings of a person on a day.

        Args:
            email: Whose meetings.
            day: As 2026-03-02.
        """
        return sorted(
            (event for event in self.events.values() if email in event['attendees'] and event['start'][:10] == day),
            key=lambda event: event['start'],
        )

    def free_slots(self, email: str, day: str) -> list[Slot]:
        """List the times between 9:00 and 17:00 in which a person has no meeting."""
        slots: list[Slot] = []
        free_from = datetime.fromisoformat(f'{day}T09:00')
        closing = datetime.fromisoformat(f'{day}T17:00')
        for event in self.list_events(email, day):
            start = datetime.fromisoformat(event['start'])
            slots += _slot(free_from, start)
            free_from = max(free_from, start + timedelta(minutes=event['minutes']))
        return slots + _slot(free_from, closing)

    def create_event(self, title: str, start: str, minutes: int, attendees: list[str]) -> Event:
        """Put a meeting into the calendars of its attendees.

        Args:
            title: What it is about.
            start: As 2026-03-02T09:30.
            minutes: How long it takes.
            attendees: Email addresses.
        """
        unknown = set(attendees) - {person['email'] for person in self.people}
        if unknown:
            raise ModelRetry(f'Unknown addresses: {sorted(unknown)}')
        number = max(self.events) + 1
        self.events[number] = Event(
            id=number, title=title, start=start, minutes=minutes, attendees=attendees, room=None
        )
        return self.events[number]

    def move_event(self, event_id: int, start: str) -> Event:
        """Move a meeting to another time, given as 2026-03-02T09:30."""
        self.events[event_id] = {**self._event(event_id), 'start': start}
        return self.events[event_id]

    def cancel_event(self, event_id: int) -> bool:
        """Cancel a meeting for everybody."""
        del self.events[self._event(event_id)['id']]
        return True

    def list_rooms(self, min_seats: int = 1) -> list[Room]:
        """List the rooms with at least so many seats."""
        return [room for room in self.rooms if room['seats'] >= min_seats]

    def room_is_free(self, room: str, start: str, minutes: int) -> bool:
        """Tell whether nobody has booked a room for a time that starts at 2026-03-02T09:30 or the like."""
        begin = datetime.fromisoformat(start)
        return not any(_overlap(event, begin, minutes) for event in self.events.values() if event['room'] == room)

    def book_room(self, event_id: int, room: str) -> Event:
        """Book a room for a meeting."""
        event = self._event(event_id)
        if not self.room_is_free(room, event['start'], event['minutes']):
            raise ModelRetry(f'{room} is taken at {event["start"]}.')
        self.events[event_id] = {**event, 'room': room}
        return self.events[event_id]

    def list_mails(self, folder: str = 'inbox', unread_only: bool = False, page: int = 1) -> MailPage:
        """List the mails of a folder, newest first, 20 to a page."""
        mails = [
            mail
            for mail in sorted(self.mails.values(), key=lambda mail: -mail.id)
            if mail.folder == folder and (mail.unread or not unread_only)
        ]
        start = (page - 1) * PAGE_SIZE
        heads = [
            MailHead(id=mail.id, sender=mail.sender, subject=mail.subject, unread=mail.unread)
            for mail in mails[start : start + PAGE_SIZE]
        ]
        return MailPage(mails=heads, next_page=page + 1 if start + PAGE_SIZE < len(mails) else None)

    def read_mail(self, mail_id: int) -> Mail:
        """Read a mail; it is then no longer unread."""
        mail = self._mail(mail_id)
        self.mails[mail_id] = replace(mail, unread=False)
        return Mail(id=mail.id, sender=mail.sender, subject=mail.subject, text=mail.text, labels=list(mail.labels))

    def send_mail(self, to: str, subject: str, text: str) -> bool:
        """Send a mail."""
        self.sent.append({'to': to, 'subject': subject, 'text': text})
        return True

    def label_mail(self, mail_id: int, label: str) -> list[str]:
        """Put a label on a mail and return all of its labels."""
        mail = self._mail(mail_id)
        self.mails[mail_id] = replace(mail, labels=(*mail.labels, label))
        return list(self.mails[mail_id].labels)

    def archive_mail(self, mail_id: int) -> bool:
        """Move a mail into the archive."""
        self.mails[mail_id] = replace(self._mail(mail_id), folder='archive')
        return True

    def delete_mail(self, mail_id: int) -> bool:
        """Delete a mail for good."""
        del self.mails[self._mail(mail_id).id]
        return True

    def snapshot(self) -> list[str]:
        """Return everything that a tool could change, except which mails were read and the numbers of new events."""
        mails = self.mails.values()
        return [
            *map(_described, self.events.values()),
            *(f'mail {mail.id} in {mail.folder}: {mail.subject}, labels: {", ".join(mail.labels)}' for mail in mails),
            *(f'sent to {mail["to"]}: {mail["subject"]}: {mail["text"]}' for mail in self.sent),
        ]

    def _event(self, event_id: int) -> Event:
        if event_id not in self.events:
            raise ModelRetry(f'There is no event {event_id}.')
        return self.events[event_id]

    def _mail(self, mail_id: int) -> StoredMail:
        if mail_id not in self.mails:
            raise ModelRetry(f'There is no mail {mail_id}.')
        return self.mails[mail_id]


def _described(event: Event) -> str:
    place = f'{event["title"]} at {event["start"]}, {event["minutes"]} minutes, in {event["room"]}'
    return f'{place}: {", ".join(sorted(event["attendees"]))}'


def open_office() -> Office:
    """Return the office on a Monday morning, the same each time."""
    random = Random(302)
    people = [
        Person(name=name, email=f'{name.replace(" ", ".")}@office.example'.lower(), team=team)
        for name, team in zip(_NAMES, _TEAMS, strict=True)
    ]
    events = dict(_events(random, people))
    mails = {number: _mail(random, number) for number in range(1, 91)}
    rooms = [Room(name=name, seats=seats) for name, seats in _ROOMS]
    return Office(people, events, mails, rooms)


def _events(random: Random, people: list[Person]) -> list[tuple[int, Event]]:
    events: list[tuple[int, Event]] = []
    for number in range(1, 61):
        start = MONDAY + timedelta(days=random.randrange(5), hours=9, minutes=30 * random.randrange(15))
        attendees = random.sample(people, random.randint(2, 5))
        event = Event(
            id=number,
            title=random.choice(_TITLES),
            start=start.isoformat(timespec='minutes'),
            minutes=random.choice([30, 30, 60]),
            attendees=[person['email'] for person in attendees],
            room=None,
        )
        events.append((number, event))
    return events


def _mail(random: Random, number: int) -> StoredMail:
    subject, text = random.choice(_MAILS)
    amount = random.randint(20, 900)
    return StoredMail(
        id=number,
        sender=random.choice(_SENDERS),
        subject=subject.format(n=number),
        text=text.format(n=number, amount=amount),
        unread=random.random() < 0.4,
    )


def _slot(start: datetime, end: datetime) -> list[Slot]:
    minutes = int((end - start).total_seconds() // 60)
    return [Slot(start=start.isoformat(timespec='minutes'), minutes=minutes)] if minutes > 0 else []


def _overlap(event: Event, start: datetime, minutes: int) -> bool:
    begin = datetime.fromisoformat(event['start'])
    return begin < start + timedelta(minutes=minutes) and start < begin + timedelta(minutes=event['minutes'])


_NAMES = [
    'Anna Berg', 'Boris Lind', 'Clara Moser', 'Daniel Okafor', 'Elif Demir', 'Farid Haddad', 'Gwen Price',
    'Henrik Dahl', 'Ivana Petrov', 'Jun Sato', 'Karl Weiss', 'Lena Novak',
]  # fmt: skip
_TEAMS = [
    'design', 'design', 'sales', 'sales', 'sales', 'data', 'data', 'platform', 'platform', 'platform', 'legal',
    'legal',
]  # fmt: skip
_TITLES = ['Planning', 'Review', 'Interview', 'Budget', 'Standup', 'Roadmap']
_ROOMS = [('Acorn', 4), ('Birch', 6), ('Cedar', 8), ('Dogwood', 12), ('Elm', 20)]
_SENDERS = ['billing@vendor.example', 'news@letters.example', 'hr@office.example', 'karl.weiss@office.example']
_MAILS = [
    ('Invoice {n}', 'Please pay invoice {n}. The amount due is {amount} EUR.'),
    ('Newsletter {n}', 'This week in issue {n}: nothing of note.'),
    ('Holiday request {n}', 'I would like {amount} hours off.'),
    ('Contract {n}', 'The draft of contract {n} is ready to be signed.'),
]
