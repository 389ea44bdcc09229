"""What Monty's `datetime` lacks."""

import datetime

UTC = datetime.UTC
MINYEAR = 1
MAXYEAR = 9999
