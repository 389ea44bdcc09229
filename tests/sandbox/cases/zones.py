# The hour that comes twice, and the one that does not come.
from datetime import datetime, timedelta, timezone, date, time
from zoneinfo import ZoneInfo
ny, berlin = ZoneInfo('America/New_York'), ZoneInfo('Europe/Berlin')
print(datetime(2024, 11, 3, 1, 30, tzinfo=ny), datetime(2024, 11, 3, 1, 30, tzinfo=ny, fold=1), datetime(2024, 3, 10, 2, 30, tzinfo=ny).astimezone(timezone.utc))
u = datetime(2024, 11, 3, 6, 30, tzinfo=timezone.utc).astimezone(ny)
print(u, u.fold, u.replace(hour=3), u.replace(fold=0), [u], u + timedelta(hours=1), u.timestamp())
# ---
import zoneinfo
from datetime import time, timezone, datetime
'Europe/Berlin' in zoneinfo.available_timezones()
time(9, tzinfo=zoneinfo.ZoneInfo('UTC'))  ### A time of day has no zone here
