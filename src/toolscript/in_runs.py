"""What the runs of a `CodeModeToolset` work with: loaded when the first one is built, since no run may wait for it.

That is most of toolscript: the sandbox with Monty, the way of a snippet, pauses, variables and functions that stay. A
program that imports the class and builds none, such as a command that only prints its help, does without.
"""

from toolscript_sandbox import Sandbox

from .durability.snapshots import Snapshots
from .files.files import Files
from .kept.functions import Functions
from .kept.functions_toolset import with_functions
from .offering.answer_tools import any_answer_tools, with_answers
from .offering.output_from_code import gives_output
from .offering.searchable_toolset import SearchableToolset
from .offering.single_calls import hinted
from .results.visible import told
from .results.wording import worded
from .scripts.run_state import RunState
from .scripts.saved_functions import KeptInRun
from .scripts.script import Script
from .scripts.session_persistence import Lasting
from .scripts.speculation import EarlyCalls, kinds_of_names
from .scripts.speculative_script import EarlyScript, words_of_files
from .sessions.session_shelf import shelf_of
from .sessions.sessions import Sessions

__all__ = [
    'EarlyCalls',
    'EarlyScript',
    'Files',
    'Functions',
    'KeptInRun',
    'Lasting',
    'RunState',
    'Sandbox',
    'Script',
    'SearchableToolset',
    'Sessions',
    'Snapshots',
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
