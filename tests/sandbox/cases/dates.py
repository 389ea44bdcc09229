from datetime import date, datetime
moment = datetime.fromtimestamp(1700000000)
date.fromtimestamp(1700000000) == moment.date(), moment.timestamp()
# ---
from datetime import datetime
[datetime.strptime(text, form) for text, form in [('2024-02-29 13:05', '%Y-%m-%d %H:%M'), ('Feb 3, 2024', '%b %d, %Y'), ('1:05 PM', '%I:%M %p'), ('12/31/99', '%m/%d/%y'), ('2024-060', '%Y-%j'), ('2024-01-01T00:00:00+0530', '%Y-%m-%dT%H:%M:%S%z'), ('10.123', '%S.%f'), ('Monday 5 January 2024', '%A %d %B %Y'), ('2024 10 1', '%Y %W %w'), ('01JAN2024', '%d%b%Y'), ('2024', '%Y'), ('20240115', '%Y%m%d'), ('111', '%d%m')]]
# ---
from datetime import date, datetime
[datetime.fromisoformat(text) for text in ('2024-01-01', '2024-01-01T10:00', '20240101T100000', '2024-01-01T10:00:00Z', '2024-W01-1', '2024-01-01T10', '2024-01-01T10:00:00,123456', '2024-01-01T10:00:00.5+05:30')], date.fromisoformat('20240101')
# ---
from datetime import datetime
datetime.today().year > 2000
# ---
from datetime import datetime, timezone
datetime(2024, 1, 1, tzinfo=timezone.utc).utctimetuple()  ### Use .astimezone(timezone.utc).timetuple().
# ---
import time
time.strptime('2024', '%Y')  ### There is no time.strptime here
# ---
from datetime import timedelta
a = timedelta(minutes=3)
print(timedelta(days=1.5) * 0.5, 2.5 * timedelta(hours=1), a / 1.5, a * 3, -1.25 * a, 'é'.encode('latin-1'), 'a日'.encode('latin-1', 'replace'), 'é'.encode('utf-8-sig').decode('utf-8-sig'))
