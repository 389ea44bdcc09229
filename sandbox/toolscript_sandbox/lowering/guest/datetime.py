"""What Monty's `datetime` lacks."""

import datetime

UTC = datetime.timezone.utc
MINYEAR = 1
MAXYEAR = 9999
