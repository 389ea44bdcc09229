"""Days, weeks and names of months, from Monday on."""

from datetime import date

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = 0, 1, 2, 3, 4, 5, 6
day_name = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
day_abbr = [name[:3] for name in day_name]
month_name = ['', 'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
month_abbr = [name[:3] for name in month_name]
IllegalMonthError = ValueError


def isleap(year): return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
def leapdays(y1, y2): return sum([1 for year in range(y1, y2) if isleap(year)])
def weekday(year, month, day): return date(2000 + year % 400 if not 1 <= year <= 9999 else year, month, day).weekday()


def monthrange(year, month):
    if not 1 <= month <= 12:
        raise IllegalMonthError(f'bad month number {month}; must be 1-12')
    return weekday(year, month, 1), 28 + [3, isleap(year), 3, 2, 3, 2, 3, 3, 2, 3, 2, 3][month - 1]


def monthcalendar(year, month):
    before, count = monthrange(year, month)
    days = [0] * before + list(range(1, count + 1)) + [0] * (-(before + count) % 7)
    return [days[start : start + 7] for start in range(0, len(days), 7)]
