"""`python -m examples.traces docs/pictures/trace.svg`: run the desk, approve its refund, and draw its two traces."""

import asyncio
import sys
from pathlib import Path

from .recording import record
from .waterfall import waterfall

Path(sys.argv[1]).write_text(waterfall(asyncio.run(record())))
