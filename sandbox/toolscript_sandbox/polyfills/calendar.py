"""Calendars: days here, texts on the host."""

from datetime import date, timedelta

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = 0, 1, 2, 3, 4, 5, 6
day_name = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
day_abbr = [name[:3] for name in day_name]
month_name = ['', 'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
month_abbr = [name[:3] for name in month_name]
IllegalMonthError = IllegalWeekdayError = ValueError
_first = [0]


class Calendar:
    def __init__(self, firstweekday=0):
        self.firstweekday = firstweekday % 7

    def getfirstweekday(self): return self.firstweekday
    def setfirstweekday(self, firstweekday): self.firstweekday = firstweekday % 7
    def iterweekdays(self): return iter([(self.firstweekday + place) % 7 for place in range(7)])
    def itermonthdates(self, year, month): return iter([day for week in self.monthdatescalendar(year, month) for day in week])
    def itermonthdays(self, year, month): return iter([day for week in self.monthdayscalendar(year, month) for day in week])
    def itermonthdays2(self, year, month): return iter([day for week in self.monthdays2calendar(year, month) for day in week])

    def monthdatescalendar(self, year, month):
        start, days = monthrange(year, month)
        before = (start - self.firstweekday) % 7
        first = date(year, month, 1) - timedelta(days=before)
        return [[first + timedelta(days=week + place) for place in range(7)] for week in range(0, before + days, 7)]

    def monthdayscalendar(self, year, month):
        return [[day.day if day.month == month else 0 for day in week] for week in self.monthdatescalendar(year, month)]

    def monthdays2calendar(self, year, month):
        return [[(day.day if day.month == month else 0, day.weekday()) for day in week] for week in self.monthdatescalendar(year, month)]

    def yeardayscalendar(self, year, width=3):
        months = [self.monthdayscalendar(year, month) for month in range(1, 13)]
        return [months[start : start + width] for start in range(0, 12, width)]


class TextCalendar:
    def __init__(self, firstweekday=0):
        self.firstweekday = firstweekday % 7

    def formatmonth(self, theyear, themonth, w=0, l=0): return _host__('calendar.text', self.firstweekday, theyear, themonth, w, l)
    def formatyear(self, theyear, w=2, l=1, c=6, m=3): return _host__('calendar.text', self.firstweekday, theyear, 0, w, l, c, m)
    def prmonth(self, theyear, themonth, w=0, l=0): print(self.formatmonth(theyear, themonth, w, l), end='')
    def pryear(self, theyear, w=0, l=0, c=6, m=3): print(self.formatyear(theyear, w, l, c, m), end='')


def firstweekday(): return _first[0]
def isleap(year): return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
def leapdays(y1, y2): return sum([1 for year in range(y1, y2) if isleap(year)])
def month(theyear, themonth, w=0, l=0): return TextCalendar(_first[0]).formatmonth(theyear, themonth, w, l)
def calendar(year, w=2, l=1, c=6, m=3): return TextCalendar(_first[0]).formatyear(year, w, l, c, m)
def monthcalendar(year, month): return Calendar(_first[0]).monthdayscalendar(year, month)
def prcal(year, w=0, l=0, c=6, m=3): print(calendar(year, w, l, c, m), end='')
def prmonth(theyear, themonth, w=0, l=0): print(month(theyear, themonth, w, l), end='')
def timegm(tuple): return _host__('calendar.timegm', list(tuple))
def weekday(year, month, day): return date(2000 + year % 400 if not 1 <= year <= 9999 else year, month, day).weekday()


def monthrange(year, month):
    if not 1 <= month <= 12:
        raise IllegalMonthError(f'bad month number {month}; must be 1-12')
    return weekday(year, month, 1), 28 + [3, isleap(year), 3, 2, 3, 2, 3, 3, 2, 3, 2, 3][month - 1]


def setfirstweekday(firstweekday):
    if not 0 <= firstweekday <= 6:
        raise IllegalWeekdayError(f'bad weekday number {firstweekday}; must be 0 (Monday) to 6 (Sunday)')
    _first[0] = firstweekday
