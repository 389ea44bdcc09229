"""Everything that a run in a workflow of Temporal may import, at once: imports during a workflow are not allowed."""

# ruff: noqa: F401
# pyright: reportUnusedImport=false

import sys

import toolscript_sandbox.replay
import toolscript_sandbox.steps

from . import _lazy
from .discovery import searching
from .scripts import speculative_script
from .search import names
from .sessions import files, functions_in_run, saved_functions_toolset, session_persistence

LOADED = [
    name
    for name in sys.modules
    if name.partition('.')[0] in ('toolscript', 'toolscript_sandbox', 'toolscript_signatures')
]
"""The loaded modules of toolscript."""
