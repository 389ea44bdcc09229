"""Days, weeks and names of months, with Monday first. Calendar pages are formatted by CPython on the host."""

from datetime import date

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = 0, 1, 2, 3, 4, 5, 6
day_name = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
day_abbr = [name[:3] for name in day_name]
month_name = [''] + [date(2000, month, 1).strftime('%B') for month in range(1, 13)]
month_abbr = [name[:3] for name in month_name]


def isleap(year): return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
def weekday(year, month, day): return date(2000 + year % 400 if not 1 <= year <= 9999 else year, month, day).weekday()


def monthrange(year, month):
    if not 1 <= month <= 12:
        raise ValueError(f'bad month number {month}; must be 1-12')
    return weekday(year, month, 1), 28 + [3, isleap(year), 3, 2, 3, 2, 3, 3, 2, 3, 2, 3][month - 1]
