"""Run a snippet of Python in a sandbox and hand out the calls it makes.

A name is imported when somebody first asks for it: to import the package by itself costs next to nothing.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .contract.as_of import AsOf
    from .contract.calls import Call, CallRecord, Crossed, Dispatch, Status, Waiting
    from .contract.errors import SandboxError, SnippetError, StateError, ToolError, Unavailable, Wait
    from .contract.foreign_text import clean, text_of
    from .contract.functions import Function, Functions
    from .contract.kept import Kept, Variable
    from .contract.limits import Limits
    from .contract.outcomes import Completed, Failed, Outcome, Suspended
    from .contract.tracing import Tracing
    from .event_loop.ending_tasks import let_go
    from .event_loop.loop_turns import turn_for_run, turn_for_step
    from .execution.in_flight import Checkpoint
    from .execution.state import calls_made, can_be_loaded
    from .language.standalone import NotStandalone, Standalone, defines, function_in, imported, reads, standalone
    from .messages.view import shape_of, view
    from .mounts.folders import FileLimits, Folder, check_folders
    from .mounts.host_files import HostFiles
    from .sandbox import Sandbox
    from .serialization.crossing import MOST_BYTES, Carried, carried_or_told_aside, to_json
    from .session import Session
    from .speculation.foresight import ForeseenCall, Foresight, NameKind
    from .speculation.terms import NotKnown, value_of
    from .transforms.preparation import variables_of
    from .workers.stats import Stats

__all__ = [
    'MOST_BYTES',
    'AsOf',
    'Call',
    'CallRecord',
    'Carried',
    'Checkpoint',
    'Completed',
    'Crossed',
    'Dispatch',
    'Failed',
    'FileLimits',
    'Folder',
    'ForeseenCall',
    'Foresight',
    'Function',
    'Functions',
    'HostFiles',
    'Kept',
    'Limits',
    'NameKind',
    'NotKnown',
    'NotStandalone',
    'Outcome',
    'Sandbox',
    'SandboxError',
    'Session',
    'SnippetError',
    'Standalone',
    'StateError',
    'Stats',
    'Status',
    'Suspended',
    'ToolError',
    'Tracing',
    'Unavailable',
    'Variable',
    'Wait',
    'Waiting',
    'calls_made',
    'can_be_loaded',
    'carried_or_told_aside',
    'check_folders',
    'clean',
    'defines',
    'function_in',
    'imported',
    'let_go',
    'reads',
    'shape_of',
    'standalone',
    'text_of',
    'to_json',
    'turn_for_run',
    'turn_for_step',
    'value_of',
    'variables_of',
    'view',
]

_HOMES = {
    '.contract.as_of': 'AsOf',
    '.contract.calls': 'Call CallRecord Crossed Dispatch Status Waiting',
    '.contract.errors': 'SandboxError SnippetError StateError ToolError Unavailable Wait',
    '.contract.foreign_text': 'clean text_of',
    '.contract.functions': 'Function Functions',
    '.contract.kept': 'Kept Variable',
    '.contract.limits': 'Limits',
    '.contract.outcomes': 'Completed Failed Outcome Suspended',
    '.contract.tracing': 'Tracing',
    '.event_loop.ending_tasks': 'let_go',
    '.event_loop.loop_turns': 'turn_for_run turn_for_step',
    '.mounts.folders': 'FileLimits Folder check_folders',
    '.mounts.host_files': 'HostFiles',
    '.speculation.foresight': 'ForeseenCall Foresight NameKind',
    '.speculation.terms': 'NotKnown value_of',
    '.transforms.preparation': 'variables_of',
    '.workers.stats': 'Stats',
    '.execution.in_flight': 'Checkpoint',
    '.execution.state': 'calls_made can_be_loaded',
    '.sandbox': 'Sandbox',
    '.session': 'Session',
    '.messages.view': 'shape_of view',
    '.language.standalone': 'NotStandalone Standalone defines function_in imported reads standalone',
    '.serialization.crossing': 'MOST_BYTES Carried carried_or_told_aside to_json',
}
"""The modules of the names, in the order of the imports above."""
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        home = _HOME_OF.get(name)
        if home is None:
            raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
        value = globals()[name] = getattr(_import_module(home, __name__), name)
        return value


def __dir__() -> list[str]:
    return [*__all__]
