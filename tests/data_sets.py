"""Where public data sets to measure with lie, if they do."""

import os
from pathlib import Path

SHARED = Path(os.environ.get('TOOLSCRIPT_SHARED', Path(__file__).parents[2] / 'shared'))
"""None of them may be handed on by this project, so each user fetches what they want to measure with."""

NO_DATA = (
    'needs public data sets that are not ours to hand on: benchmarks/DATA.md says how to get them and where to put them'
)
