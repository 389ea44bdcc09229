"""The location of the public data sets for measurements."""

import os
from pathlib import Path

SHARED = Path(os.environ.get('TOOLSCRIPT_SHARED', Path(__file__).parents[2] / 'shared'))
"""This project may redistribute none of them, so each user fetches the ones to measure with."""

NO_DATA = (
    'needs public data sets that are not ours to hand on: benchmarks/DATA.md says how to get them and where to put them'
)
