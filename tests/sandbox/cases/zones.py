# Moments in zones: clocks are put forward and back, and arithmetic is that of the clocks.
from datetime import datetime, timedelta, timezone, date, time
from zoneinfo import ZoneInfo
ny, berlin = ZoneInfo('America/New_York'), ZoneInfo('Europe/Berlin')
a = datetime(2024, 3, 9, 12, 0, tzinfo=ny)
b = a + timedelta(days=1)
print(a, b, b - a, b.utcoffset(), b.dst(), b.tzname(), a.astimezone(berlin), b.isoformat())
print(a.strftime('%Y-%m-%d %H:%M %Z%z'), f'{b:%H:%M %Z}', '{:%Z}'.format(b), a.tzinfo, a.tzinfo.key, a.tzinfo is None, a.tzinfo == ny)
print([a, b], {'x': a}, repr(a), f'{a!r} {[a]}', (timezone(timedelta(hours=1)), a))
# ---
# The hour that comes twice, and the one that does not come.
from datetime import datetime, timedelta, timezone, date, time
from zoneinfo import ZoneInfo
ny, berlin = ZoneInfo('America/New_York'), ZoneInfo('Europe/Berlin')
print(datetime(2024, 11, 3, 1, 30, tzinfo=ny), datetime(2024, 11, 3, 1, 30, tzinfo=ny, fold=1), datetime(2024, 3, 10, 2, 30, tzinfo=ny).astimezone(timezone.utc))
u = datetime(2024, 11, 3, 6, 30, tzinfo=timezone.utc).astimezone(ny)
print(u, u.fold, u.replace(hour=3), u.replace(fold=0), [u], u + timedelta(hours=1), u.timestamp())
# ---
from datetime import datetime, timedelta, timezone, date, time
from zoneinfo import ZoneInfo
ny, berlin = ZoneInfo('America/New_York'), ZoneInfo('Europe/Berlin')
a = datetime(2024, 3, 9, 12, 0, tzinfo=ny)
b = a + timedelta(days=1)
u = datetime(2024, 11, 3, 6, 30, tzinfo=timezone.utc).astimezone(ny)
print(datetime.fromtimestamp(1700000000, ny), datetime.fromtimestamp(1700000000, tz=berlin).date(), datetime.combine(date(2024, 7, 1), time(9), tzinfo=berlin))
print(datetime.now(ny).tzinfo, datetime.now(tz=ny).utcoffset() in (timedelta(hours=-5), timedelta(hours=-4)))
print(sorted([b, a, u])[0], a < b, a == a.astimezone(berlin), max(a, b), (b - datetime(2024, 1, 1, tzinfo=timezone.utc)), a.timetuple()[8], b.timetuple().tm_isdst)
c = a
c += timedelta(days=200)
n = 5
n += 1
s = 'x'
s += 'y'
l = [1]; m = l; m += [2]
print(c, c - a, c.tzname(), n, s, l, 'a-b'.replace('-', '+'), ny, [ny])
print(datetime.strptime('2024-07-01 10:00', '%Y-%m-%d %H:%M').replace(tzinfo=ny).astimezone(timezone.utc), ny.utcoffset(datetime(2024, 7, 1)), ny.tzname(datetime(2024,1,1)))
for z in ['Nope/Zone', '../etc', 5]:
    try: ZoneInfo(z)
    except Exception as e: print(isinstance(e, (KeyError, ValueError, TypeError)))
print(datetime(1900, 1, 1, tzinfo=ny), datetime(2024,1,1,tzinfo=ZoneInfo('UTC')), datetime(2024,1,1,tzinfo=ZoneInfo('Asia/Kolkata')), datetime(2050,7,1,tzinfo=berlin), a.replace(tzinfo=None), a.ctime(), a.weekday(), a.date() - date(2024,1,1))
# ---
import zoneinfo
from datetime import time, timezone, datetime
'Europe/Berlin' in zoneinfo.available_timezones()
time(9, tzinfo=zoneinfo.ZoneInfo('UTC'))  ### A time of day has no zone here. Leave tzinfo out
# ---
# Every second hour of some years, there and back, in zones of all kinds.
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo
def seen(key, year):
    zone, moment, found = ZoneInfo(key), datetime(year, 1, 1, tzinfo=timezone.utc), []
    while moment.year == year:
        there = moment.astimezone(zone)
        shown = (there.utcoffset(), there.dst(), there.tzname(), there.fold)
        if not found or shown != found[-1][1]:
            found.append((str(there), shown, str(there.replace(minute=30).astimezone(timezone.utc)), str(there + timedelta(hours=5))))
        moment += timedelta(hours=2)
    return found
[seen(key, year) for key, year in [('Africa/Casablanca', 2024), ('Australia/Lord_Howe', 2023), ('Europe/Dublin', 2040), ('Pacific/Apia', 2011), ('Asia/Tehran', 2022)]]
# ---
# Hours that no clock shows, and hours that come twice.
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

for key in ('America/New_York', 'Europe/London', 'Australia/Lord_Howe', 'Asia/Kolkata'):
    for wall in (datetime(2024, 3, 10, 2, 30), datetime(2024, 3, 31, 1, 30), datetime(2024, 11, 3, 1, 30), datetime(2024, 10, 6, 2, 15)):
        for fold in (0, 1):
            moment = wall.replace(tzinfo=ZoneInfo(key), fold=fold)
            print(moment, moment.dst(), moment.tzname(), moment.fold, moment.timetuple().tm_isdst)
