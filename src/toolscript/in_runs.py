"""What the runs of a `CodeModeToolset` work with: loaded when the first one is built, since no run may wait for it.

That is most of toolscript: the sandbox with Monty, the way of a snippet, pauses, variables and functions that stay. A
program that imports the class and builds none, such as a command that only prints its help, does without.
"""

from toolscript_sandbox import Sandbox

from .durability.snapshots import Snapshots
from .files.files import Files
from .kept.functions import SavedFunctions
from .kept.functions_in_run import KeptInRun
from .kept.functions_toolset import with_functions
from .offering.answer_tools import any_answer_tools, with_answers
from .offering.code_output import gives_output
from .offering.searchable_toolset import SearchableToolset
from .offering.single_calls import hinted
from .results.visible import told
from .results.wording import worded
from .scripts.run_state import RunState
from .scripts.script import Script
from .scripts.speculation import Speculations, kinds_of_names
from .scripts.speculative_script import PartialScript, words_of_files
from .sessions.session_persistence import Lasting
from .sessions.session_shelf import shelf_of
from .sessions.sessions import Sessions

__all__ = [
    'Files',
    'KeptInRun',
    'Lasting',
    'PartialScript',
    'RunState',
    'Sandbox',
    'SavedFunctions',
    'Script',
    'SearchableToolset',
    'Sessions',
    'Snapshots',
    'Speculations',
    'any_answer_tools',
    'gives_output',
    'hinted',
    'kinds_of_names',
    'shelf_of',
    'told',
    'with_answers',
    'with_functions',
    'worded',
    'words_of_files',
]
