"""What the runs of a `CodeModeToolset` work with: loaded, in a thread, when the first run starts.

That is most of toolscript: the sandbox with Monty, the way of a snippet, pauses, variables and functions that stay. A
program that builds an agent and runs none, such as a command that only prints its help, does without.
"""

import sys

from toolscript_sandbox import Sandbox
from toolscript_sandbox.steps import SteppedSession, take_step

from .discovery.searchable_toolset import SearchableToolset
from .durability.snapshots import Snapshots
from .results.wording import visible, worded
from .run_code.code_output import any_answer_tools, gives_output, with_answers
from .run_code.history import hinted
from .scripts.run_state import RunState
from .scripts.script import Script
from .scripts.speculation import Speculations, kinds_of_names
from .scripts.speculative_script import PartialScript, words_of_files
from .sessions.files import Files
from .sessions.functions_in_run import FunctionsInRun
from .sessions.saved_functions import SavedFunctions
from .sessions.saved_functions_toolset import with_functions
from .sessions.session_persistence import SessionPersistence
from .sessions.session_store import session_store
from .sessions.sessions import Sessions

__all__ = [
    'Files',
    'FunctionsInRun',
    'PartialScript',
    'RunState',
    'Sandbox',
    'SavedFunctions',
    'Script',
    'SearchableToolset',
    'SessionPersistence',
    'Sessions',
    'Snapshots',
    'Speculations',
    'SteppedSession',
    'any_answer_tools',
    'gives_output',
    'hinted',
    'kinds_of_names',
    'session_store',
    'take_step',
    'visible',
    'with_answers',
    'with_functions',
    'worded',
    'words_of_files',
]

LOADED = [
    name
    for name in sys.modules
    if name.partition('.')[0] in ('toolscript', 'toolscript_sandbox', 'toolscript_signatures')
]
"""The modules of toolscript."""
