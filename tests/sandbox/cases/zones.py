import zoneinfo
from datetime import time, timezone, datetime
time(9, tzinfo=zoneinfo.ZoneInfo('UTC'))  ### A time of day has no zone here
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
