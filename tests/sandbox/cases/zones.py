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
from zoneinfo import ZoneInfo
from datetime import datetime, timezone, timedelta
b = ZoneInfo('Europe/Berlin')
d = datetime(2024, 3, 30, 12, 0, tzinfo=b)
print(d, d + timedelta(days=1), (d + timedelta(days=1)).astimezone(timezone.utc), d.isoformat(), d.tzname(), d.strftime('%Y-%m-%d %H:%M %Z%z'), f'{d:%H:%M %Z}', str(d.tzinfo), d.utcoffset(), d.dst())
e = datetime(2024, 10, 27, 1, 30, tzinfo=timezone.utc).astimezone(b)
print(e, e.replace(minute=5), e.replace(day=28), e - timedelta(hours=3), e - d, e > d, datetime(2024,7,1,12).replace(tzinfo=ZoneInfo('America/New_York')).astimezone(b))
e += timedelta(hours=1)
print(e, b, b.key, d == d.astimezone(timezone.utc), datetime.fromtimestamp(1700000000, tz=b), datetime.combine(d.date(), d.time(), tzinfo=b))
x = 3
x += 4
print(x, d.replace(tzinfo=None), d.date(), d.weekday(), sorted([e, d])[0], {d: 1}[d])
# ---
from datetime import datetime
from zoneinfo import ZoneInfo
print(datetime(2024, 10, 27, 2, 30, tzinfo=ZoneInfo('Europe/Berlin')).fold)  ### There is no fold here. Compare utcoffset() of the moments.
