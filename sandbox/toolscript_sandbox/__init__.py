"""Runs snippets of Python in a sandbox and passes their calls to the host.

Names are imported on first use, so importing the package alone costs almost nothing.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .contract.calls import Call, CallRecord, Dispatch, PlainValue, Status, Waiting
    from .contract.errors import (
        Deferred,
        OtherVersion,
        ReplayDiffers,
        SandboxError,
        SnippetError,
        StateError,
        ToolError,
        Unavailable,
    )
    from .contract.foreign_text import clean, text_of
    from .contract.frozen_clock import FrozenClock, HostClock
    from .contract.functions import Function, Functions
    from .contract.limits import Limits
    from .contract.outcomes import Completed, Failed, Outcome, SavedSession, Suspended, Variable
    from .contract.tracing import Tracing
    from .event_loop.cancellation import abandon
    from .event_loop.loop_turns import wait_for_run_slot, wait_for_step_slot
    from .execution.answers import failed_record
    from .execution.in_flight import Checkpoint
    from .execution.preview import EndPreview
    from .execution.state import calls_made, can_be_loaded
    from .language.self_contained import (
        NotSelfContained,
        SelfContained,
        bindings,
        free_variables,
        function_in,
        imported,
        self_contained,
    )
    from .messages.truncation import infer_shape, quoted, truncate
    from .mounts.folders import FileLimits, Folder, check_folders
    from .mounts.host_files import HostFiles
    from .sandbox import Sandbox
    from .serialization.crossing import MOST_BYTES, Serialized, serialize, to_json
    from .session import Session
    from .speculation.foresight import NameKind, SpeculativeCall, Speculator
    from .speculation.terms import Unknown, value_of
    from .transforms.preparation import variables_of
    from .workers.workers import Stats

__all__ = [
    'MOST_BYTES',
    'Call',
    'CallRecord',
    'Checkpoint',
    'Completed',
    'Deferred',
    'Dispatch',
    'EndPreview',
    'Failed',
    'FileLimits',
    'Folder',
    'FrozenClock',
    'Function',
    'Functions',
    'HostClock',
    'HostFiles',
    'Limits',
    'NameKind',
    'NotSelfContained',
    'OtherVersion',
    'Outcome',
    'PlainValue',
    'ReplayDiffers',
    'Sandbox',
    'SandboxError',
    'SavedSession',
    'SelfContained',
    'Serialized',
    'Session',
    'SnippetError',
    'SpeculativeCall',
    'Speculator',
    'StateError',
    'Stats',
    'Status',
    'Suspended',
    'ToolError',
    'Tracing',
    'Unavailable',
    'Unknown',
    'Variable',
    'Waiting',
    'abandon',
    'bindings',
    'calls_made',
    'can_be_loaded',
    'check_folders',
    'clean',
    'failed_record',
    'free_variables',
    'function_in',
    'imported',
    'infer_shape',
    'quoted',
    'self_contained',
    'serialize',
    'text_of',
    'to_json',
    'truncate',
    'value_of',
    'variables_of',
    'wait_for_run_slot',
    'wait_for_step_slot',
]

_HOMES = {
    '.contract.frozen_clock': 'FrozenClock HostClock',
    '.contract.calls': 'Call CallRecord PlainValue Dispatch Status Waiting',
    '.contract.errors': (
        'SandboxError SnippetError StateError OtherVersion ReplayDiffers ToolError Unavailable Deferred'
    ),
    '.contract.foreign_text': 'clean text_of',
    '.contract.functions': 'Function Functions',
    '.contract.limits': 'Limits',
    '.contract.outcomes': 'Completed Failed Outcome SavedSession Suspended Variable',
    '.contract.tracing': 'Tracing',
    '.event_loop.cancellation': 'abandon',
    '.event_loop.loop_turns': 'wait_for_run_slot wait_for_step_slot',
    '.mounts.folders': 'FileLimits Folder check_folders',
    '.mounts.host_files': 'HostFiles',
    '.speculation.foresight': 'SpeculativeCall Speculator NameKind',
    '.speculation.terms': 'Unknown value_of',
    '.transforms.preparation': 'variables_of',
    '.workers.workers': 'Stats',
    '.execution.answers': 'failed_record',
    '.execution.in_flight': 'Checkpoint',
    '.execution.preview': 'EndPreview',
    '.execution.state': 'calls_made can_be_loaded',
    '.sandbox': 'Sandbox',
    '.session': 'Session',
    '.messages.truncation': 'infer_shape quoted truncate',
    '.language.self_contained': (
        'NotSelfContained SelfContained bindings free_variables function_in imported self_contained'
    ),
    '.serialization.crossing': 'MOST_BYTES Serialized serialize to_json',
}
"""The module of each public name, in the order of the imports above."""
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
