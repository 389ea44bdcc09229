"""Months and weekdays."""

from datetime import date

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = 0, 1, 2, 3, 4, 5, 6

day_name = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
day_abbr = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
month_name = [
    '',
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
]
month_abbr = ['', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']


def isleap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def leapdays(y1, y2):
    return len([year for year in range(y1, y2) if isleap(year)])


def weekday(year, month, day):
    return date(year, month, day).weekday()


def monthrange(year, month):
    if not 1 <= month <= 12:
        raise ValueError(f'bad month number {month}; must be 1-12')
    days = [31, 29 if isleap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    return (weekday(year, month, 1), days)


def monthcalendar(year, month):
    first, days = monthrange(year, month)
    cells = [0] * first + list(range(1, days + 1))
    cells += [0] * (-len(cells) % 7)
    return [cells[start : start + 7] for start in range(0, len(cells), 7)]


def timegm(tuple):
    year, month, day, hour, minute, second = tuple[:6]
    return ((date(year, month, day) - date(1970, 1, 1)).days * 24 + hour) * 3600 + minute * 60 + second
